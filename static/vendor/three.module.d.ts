// Types of three.module.js for tsc (make lint): those of the npm package @types/three, of the same version.
export * from "three";

/**
 * Node finds modules where the site serves them: `node --import ./tests/js/served.mjs …`. On disk they lie below
 * static/ and below static/ of each game's folder, which is one tree in addresses.
 */
import { register } from "node:module";

register("./served-hooks.mjs", import.meta.url);

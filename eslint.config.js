// What ESLint holds the browser's code to (make lint). Types are tsc's matter (tsconfig.json).
import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["static/vendor/", "staticfiles/", "site/", "var/", ".venv/", "node_modules/"] },
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2024, sourceType: "module", globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "eqeqeq": "error",
      "max-len": ["error", { code: 120 }],
      "no-restricted-globals": ["error", "event", "name", "status", "top", "parent"],
      "no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "no-var": "error",
      "prefer-const": ["error", { destructuring: "all" }],
    },
  },
  { files: ["tests/**", "tools/**", "*.js"], languageOptions: { globals: { ...globals.node, ...globals.browser } } },
];

// ESLint settings. The compiler checks types (npm run check); these rules find the mistakes that types do not show.
import comments from "@eslint-community/eslint-plugin-eslint-comments";
import js from "@eslint/js";
import unsanitized from "eslint-plugin-no-unsanitized";
import globals from "globals";
import { FILES, MARKS } from "./src/background/scripts.js";

/** Calls that return a promise. If the code neither awaits nor returns it, nobody sees its error; void marks the few where that is intended. */
const floating = [
  'ExpressionStatement > CallExpression[callee.object.object.name="chrome"]',
  "ExpressionStatement > CallExpression[callee.name=/^(act|command|hello|report|send|refresh)$/]",
  "ExpressionStatement > CallExpression[callee.property.name=/^(task|tell|then|wake|connect|save|executeScript)$/]",
].map((selector) => ({ selector, message: "Await this promise, return it, or mark it with void." }));

export default [
  js.configs.recommended,
  unsanitized.configs.recommended,
  {
    plugins: { comments },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    languageOptions: { ecmaVersion: 2025 },
    rules: {
      "comments/no-unlimited-disable": "error",
      "comments/require-description": "error",
      "array-callback-return": "error",
      "curly": ["error", "multi-line"],
      "default-case-last": "error",
      "eqeqeq": "error",
      "grouped-accessor-pairs": "error",
      "no-array-constructor": "error",
      "no-caller": "error",
      "no-console": ["error", { allow: ["error", "info"] }],
      "no-constructor-return": "error",
      "no-eval": "error",
      "no-extend-native": "error",
      "no-implicit-coercion": "error",
      "no-implicit-globals": "error",
      "no-implied-eval": "error",
      "no-lonely-if": "error",
      "no-multi-assign": "error",
      "no-new-func": "error",
      "no-new-wrappers": "error",
      "no-object-constructor": "error",
      "no-param-reassign": "error",
      "no-proto": "error",
      "no-script-url": "error",
      "no-self-compare": "error",
      "no-sequences": ["error", { allowInParentheses: true }],
      "no-shadow": "error",
      "no-template-curly-in-string": "error",
      "no-throw-literal": "error",
      "no-undef-init": "error",
      "no-unmodified-loop-condition": "error",
      "no-unneeded-ternary": "error",
      "no-unreachable-loop": "error",
      "no-unused-expressions": "error",
      "no-unused-vars": ["error", { args: "all", argsIgnorePattern: "^_" }],
      "no-use-before-define": ["error", { functions: false, classes: false, variables: false }],
      "no-useless-computed-key": "error",
      "no-useless-concat": "error",
      "no-useless-rename": "error",
      "no-useless-return": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-promise-reject-errors": "error",
      "prefer-template": "error",
      "strict": "error",
      "symbol-description": "error",
    },
  },
  {
    files: ["src/**/*.js"],
    languageOptions: { globals: { ...globals.browser, chrome: "readonly" } },
    rules: { "no-restricted-syntax": ["error", ...floating] },
  },
  {
    // Content scripts cannot be modules.
    files: [...FILES, ...MARKS].map((name) => `src/${name}`),
    languageOptions: { sourceType: "script" },
  },
  { files: ["test/**/*.js", "tools/**/*.js", "*.config.js"], languageOptions: { globals: globals.node } },
];

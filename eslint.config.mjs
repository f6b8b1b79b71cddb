import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import reactHooks from 'eslint-plugin-react-hooks';
import globals from 'globals';
import tseslint from 'typescript-eslint';

// What may import what (layers, packages, cycles) is checked by __tests__/architecture: no lint plugin
// counts a type-only import as an edge of a cycle, and here it is one.
export default defineConfig(
  globalIgnores([
    'dist',
    'coverage',
    '.tmp',
    'demo/dist',
    'examples/conduit/dist',
    // These have packages and builds of their own, which check their types.
    'examples/nextjs',
    'examples/pwa',
    'examples/quick-start',
    'docs/.vitepress/{.temp,cache,dist}',
    '__tests__/types/consumer',
    'examples/openapi/schema.d.ts', // generated
  ]),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    files: ['**/*.{js,mjs,cjs}'],
    languageOptions: { globals: globals.node },
  },
  {
    files: ['**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    // One program for all files: `projectService` opens them one by one, which takes a third longer.
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/consistent-type-exports': 'error',
      // React takes what an event handler returns, a promise too.
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-unnecessary-condition': [
        'error',
        { allowConstantLoopConditions: 'only-allowed-literals' },
      ],
      // `void promise` says that nobody waits on purpose; the rule for promises asks for it.
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidOperator: true },
      ],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      // There are no enums (below), and looking for them takes a sixth of the time of all rules.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      // Whether an object type is an `interface` or a `type` is the author's choice of words.
      '@typescript-eslint/consistent-type-definitions': 'off',
      // Entities are built on classes that carry static members only.
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/unified-signatures': 'off',
      // `T | void` is what a callback may return that often returns nothing.
      '@typescript-eslint/no-invalid-void-type': 'off',
      // An exported constant names its type, so that its declaration can be written without looking further.
      '@typescript-eslint/no-inferrable-types': 'off',
      '@typescript-eslint/dot-notation': ['error', { allowIndexSignaturePropertyAccess: true }],
      '@typescript-eslint/prefer-regexp-exec': 'off',
      // It asks for `!`, which strict rules forbid.
      '@typescript-eslint/non-nullable-type-assertion-style': 'off',
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
        { selector: 'ExportAllDeclaration', message: 'List the exports one by one.' },
        { selector: 'TSEnumDeclaration', message: 'Use a union of literals.' },
      ],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': ['error', { allow: ['warn', 'error'] }],
    },
  },
  {
    // Elsewhere a function whose name begins with `use` is no hook.
    files: ['{src/react,src/testing,demo}/**/*.ts', '**/*.tsx'],
    rules: reactHooks.configs.flat.recommended.rules,
  },
  {
    files: ['__tests__/**', 'bench/**', 'demo/**'],
    rules: {
      'no-console': 'off',
      'no-restricted-syntax': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-empty-function': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/unbound-method': 'off',
      // `expect.any(…)` and parsed JSON are `any` by their own types.
      '@typescript-eslint/no-unsafe-assignment': 'off',
    },
  },
  {
    files: ['__tests__/types/**'],
    rules: {
      '@typescript-eslint/no-generated-empty-object-type': 'off',
    },
  },
  {
    // Tests define small components inside a test and count renders in a variable outside them.
    files: ['__tests__/**'],
    rules: {
      'react-hooks/globals': 'off',
      'react-hooks/immutability': 'off',
      'react-hooks/static-components': 'off',
    },
  },
);

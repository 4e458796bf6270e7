import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

/**
 * Lint with types. What the compiler, prettier and dependency-cruiser already check is not repeated here;
 * the size limits are the house rules of the architecture.
 */
export default defineConfig(
  {
    ignores: [
      'node_modules/',
      '.data/',
      'coverage/',
      'dist/',
      'openapi/',
      'test/examples/preview/',
      'test/examples/starters/',
      'test/examples/programs/',
    ],
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.recommendedTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: ['error', 'always'],
      'no-console': 'error',
      'no-param-reassign': 'error',
      'max-lines': ['error', { max: 300, skipBlankLines: false, skipComments: false }],
      'max-lines-per-function': ['error', { max: 50 }],
      'max-params': ['error', 3],
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'ObjectExpression > SpreadElement > ObjectExpression, JSXSpreadAttribute > ObjectExpression',
          message: 'Write the properties where they are used.',
        },
      ],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // Interfaces here are records of functions that hold no `this`.
      '@typescript-eslint/unbound-method': 'off',
      // `||` is also how an empty text falls back, which `??` does not do.
      '@typescript-eslint/prefer-nullish-coalescing': 'off',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { arguments: false } }],
    },
  },
  {
    // A component is its markup, which is long by nature; what it does is in hooks and functions.
    files: ['src/admin/**/*.tsx'],
    rules: { 'max-lines-per-function': ['error', { max: 80 }] },
  },
  { files: ['src/cli/**', 'src/main.ts'], rules: { 'no-console': 'off' } },
  {
    files: ['src/persistence/migrations/**'],
    rules: { 'max-lines': 'off', 'max-lines-per-function': 'off' },
  },
  {
    files: ['test/**', 'src/admin/**/*.test.ts'],
    rules: {
      'no-console': 'off',
      'max-lines-per-function': 'off',
      'max-params': ['error', 4],
      // Bodies of answers are read as they come: what they must hold is what the test asserts.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
);

import { test } from 'node:test'; test.skip('x', () => {});

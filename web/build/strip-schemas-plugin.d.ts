/** Removes the parts of endpoint declarations that browsers do not use. See contract/protocol/endpoint.ts. */
import type { Plugin } from 'vite';
/**
 * Removes schemas, texts and errors from endpoints, which only servers and types need. Schemas that nothing refers to
 * any longer are then removed from the client build by tree shaking.
 */
export declare function stripSchemasPlugin(): Plugin;
/**
 * Returns the code with unused fields removed and pure calls annotated.
 * @param tree syntax tree of `code`, which must be JavaScript
 */
export declare function stripSchemas(code: string, tree: unknown): string;

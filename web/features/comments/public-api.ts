/** What other areas may import from `comments`. Only re-exports (see web/build/shared-chunks-plugin.ts). */
export { commentAnchor } from './comment-context.ts'
export { loadCommentsSection } from './lazy-components.ts'
export { commentsQuery } from './queries.ts'

/** What other areas may import from `comments`. Only re-exports (see web/build/shared-chunks-plugin.ts). */
export { commentAnchor } from './comment-context.ts'
export { CommentsSection } from './comments-section.tsx'
export { commentsQuery } from './queries.ts'

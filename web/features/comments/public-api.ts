/** What other areas may import from `comments`: re-exports only, see web/build/shared-chunks-plugin.ts. */
export { commentAnchor } from './comment-context.ts'
export { CommentsSection } from './comments-section.tsx'

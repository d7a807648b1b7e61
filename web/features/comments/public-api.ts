/** What other areas may import from `comments`. See web/build/shared-chunks-plugin.ts for what pages load of it. */
export { commentAnchor } from './comment-context.ts'
export { CommentsSection } from './comments-section.tsx'

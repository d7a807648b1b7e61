import { pageHead } from '../../../shared/pages/page-head.ts'

/**
 * Returns the head of a page about a forgotten password. Its address may contain the token of a reset link, so it sends
 * no referrer, and search engines and previews only see `path`.
 */
export function resetPageHead(page: { title: string; description: string; publicUrl: string; path: string }) {
  const head = pageHead({ ...page, unlisted: true })
  return { ...head, meta: [{ name: 'referrer', content: 'no-referrer' }, ...head.meta] }
}

/** Returns the head of both addresses that a reset link can have. */
export function resetPasswordPageHead(publicUrl: string) {
  return resetPageHead({
    title: 'Reset Password',
    description: 'Choose a new password for Reelmark.',
    publicUrl,
    path: '/reset-password',
  })
}

import { pageHead } from '../../../shared/pages/page-head.ts'

/**
 * The head of a page about a forgotten password. Its address can hold the token of a reset link: no request tells
 * another address where it came from, and neither search engines nor previews learn more than `path`.
 */
export function resetPageHead(page: { title: string; description: string; publicUrl: string; path: string }) {
  const head = pageHead({ ...page, unlisted: true })
  return { ...head, meta: [{ name: 'referrer', content: 'no-referrer' }, ...head.meta] }
}

/** The head of both addresses that a reset link can have. */
export function resetPasswordPageHead(publicUrl: string) {
  return resetPageHead({
    title: 'Reset Password',
    description: 'Choose a new password for Reelmark.',
    publicUrl,
    path: '/reset-password',
  })
}

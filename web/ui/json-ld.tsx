import { useHydrated, useRouter } from '@tanstack/react-router'
import { useState } from 'react'

/** Returns JSON that is safe inside a script element: it can neither end the element nor start a comment. */
export function scriptSafeJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

/**
 * Structured data for search engines, which read the server's HTML. It is rendered by the server only and never
 * updated: pages navigated to in the browser have none, and Trusted Types forbid changing a script element's text.
 * @param value null in the browser, so that its build does not contain what computes the value
 */
export function JsonLd({ value }: { value: object | null }) {
  const nonce = useRouter().options.ssr?.nonce
  const hydrated = useHydrated()
  const [isServerRendered] = useState(!hydrated)
  if (!isServerRendered) return null
  // In the browser, hydration keeps the text that the server rendered.
  const json = value === null ? '' : scriptSafeJson(value)
  return (
    <script
      type="application/ld+json"
      nonce={nonce}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: escaped above; a script's text cannot be written otherwise.
      dangerouslySetInnerHTML={{ __html: json }}
    />
  )
}

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
 */
export function JsonLd({ value }: { value: unknown }) {
  const nonce = useRouter().options.ssr?.nonce
  const hydrated = useHydrated()
  const [serverJson] = useState(() => (hydrated ? null : scriptSafeJson(value)))
  if (serverJson === null) return null
  return (
    <script
      type="application/ld+json"
      nonce={nonce}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: escaped above; a script's text cannot be written otherwise.
      dangerouslySetInnerHTML={{ __html: serverJson }}
    />
  )
}

import { useHydrated, useRouter } from '@tanstack/react-router'
import { useState } from 'react'

/** JSON that cannot end the script element it stands in, nor start a comment there. */
export function scriptSafeJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

/**
 * Structured data for search engines, which read the server's HTML: it stays as it came. A page that was navigated to
 * in the browser gets none, and what changes in the browser does not change it: nobody would read it, and Trusted
 * Types forbid writing a script element's text.
 */
export function JsonLd({ value }: { value: unknown }) {
  const nonce = useRouter().options.ssr?.nonce
  const hydrated = useHydrated()
  const [inServersHtml] = useState(() => (hydrated ? null : scriptSafeJson(value)))
  if (inServersHtml === null) return null
  return (
    <script
      type="application/ld+json"
      nonce={nonce}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: escaped above; a script's text cannot be written otherwise.
      dangerouslySetInnerHTML={{ __html: inServersHtml }}
    />
  )
}

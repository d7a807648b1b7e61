import { Link } from '@tanstack/react-router'
import { type ReactNode, useContext } from 'react'
import { PlainTextContext } from '../../../ui/plain-text.tsx'

/** A mention as the database finds it (mentioned_users in server/migrations/functions/community.sql). */
const mention = /(?<![\p{L}\p{N}_@./-])@([a-z0-9][a-z0-9_.-]{2,29})(?![a-z0-9_])/giu

/** Links the mentions of the named users in the texts it contains. */
export function MentionLinks({ names, children }: { names: string[]; children: ReactNode }) {
  const renderText = useContext(PlainTextContext)
  const usernames = new Map(names.map((name) => [name.toLowerCase(), name]))

  function render(text: string): ReactNode {
    const parts: ReactNode[] = []
    let end = 0
    for (const { index, 1: written = '' } of text.matchAll(mention)) {
      const name = [written, withoutPunctuation(written)].find((name) => usernames.has(name.toLowerCase()))
      if (name === undefined) continue
      parts.push(
        <span key={-1 - index}>{renderText(text.slice(end, index))}</span>,
        <Link
          key={index}
          to="/users/$username"
          params={{ username: usernames.get(name.toLowerCase()) ?? name }}
          className="font-medium text-accent-ink hover:underline hover:underline-offset-4"
        >
          @{name}
        </Link>,
      )
      end = index + 1 + name.length
    }
    return parts.length === 0
      ? renderText(text)
      : [...parts, <span key="end">{renderText(text.slice(end))}</span>]
  }

  return <PlainTextContext value={render}>{children}</PlainTextContext>
}

/** Returns a name without the punctuation at the end of a sentence. */
function withoutPunctuation(name: string): string {
  let { length } = name
  while (/[._-]/.test(name.charAt(length - 1))) length -= 1
  return name.slice(0, length)
}

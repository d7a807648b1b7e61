import * as limits from '@reelmark/contract/protocol/limits.ts'

/** The beginning of a name that was typed after `@`. */
export interface TypedMention {
  name: string
  /** The positions of the `@` and of the end of the name. */
  start: number
  end: number
}

/** The beginning of a mention. Whole ones are found by mentioned_users (server/migrations/functions/community.sql). */
const typedMention = /(?<![\p{L}\p{N}_@./-])@([a-z0-9][a-z0-9_.-]*)$/iu

/** Returns the mention that is being typed at the caret, or null. Only the text just before the caret is searched. */
export function mentionAtCaret(text: string, caret: number): TypedMention | null {
  const before = text.slice(Math.max(0, caret - limits.usernameMax - 2), caret)
  const name = typedMention.exec(before)?.[1] ?? ''
  const isInsideName = /^[a-z0-9_]/i.test(text.slice(caret, caret + 1))
  if (name.length < limits.mentionMin || name.length > limits.usernameMax || isInsideName) return null
  return { name, start: caret - name.length - 1, end: caret }
}

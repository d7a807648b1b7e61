/**
 * Passwords derived from the names of the site and of the user, which guesses begin with
 * (docs/behaviour.md, Accounts and sessions).
 */
import * as limits from '@reelmark/contract/protocol/limits.ts'

/** Words of this product that are not counted as part of a password. */
const siteWords = ['reelmark', 'bookmark', 'video', 'vault', 'moderator', 'administrator', 'admin', 'owner']

/** Shorter names, and shorter parts of names, occur in too many other words. */
const minNameLength = 3
const minPartLength = 4

export interface PasswordNames {
  username: string
  email: string
  /** The address of the site. */
  publicUrl: string
}

/**
 * Returns what remains of a password without the words of the site and the names of its user, also written backwards or
 * with digits in place of letters.
 * @param password normalised and in lower case
 */
function withoutNames(password: string, names: PasswordNames): string {
  let rest = password
  for (const word of nameWords(names)) {
    // Repeated, because removing a word can join the halves of another.
    for (let at = foldLetters(rest).indexOf(word); at >= 0; at = foldLetters(rest).indexOf(word))
      rest = rest.slice(0, at) + rest.slice(at + word.length)
  }
  return rest
}

/**
 * Returns whether a password consists of names and less than a password of its own.
 * @param password normalised and in lower case
 */
export function isDerivedFromNames(
  password: string,
  names: PasswordNames,
  isCommon: (text: string) => boolean,
): boolean {
  const rest = withoutNames(password, names)
  return rest !== password && ([...rest].length < limits.passwordMin || isCommon(rest))
}

/** Returns the words to leave out, folded and in both directions, longest first. */
function nameWords({ username, email, publicUrl }: PasswordNames): string[] {
  const host = new URL(publicUrl).hostname
  const parts = [username, email, host]
    .flatMap((name) => name.toLowerCase().split(/[^\p{L}\p{N}]+/u))
    .filter((part) => part.length >= minPartLength)
  const names = [username, email, host].filter((name) => name.length >= minNameLength)
  const words = [...siteWords, ...names, ...parts].map((word) => foldLetters(word.toLowerCase()))
  const reversed = words.map((word) => [...word].reverse().join(''))
  return [...new Set([...words, ...reversed])].sort((a, b) => b.length - a.length)
}

const letters: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  l: 'i',
  '!': 'i',
  '3': 'e',
  '4': 'a',
  '@': 'a',
  '5': 's',
  $: 's',
  '7': 't',
}

/** Replaces digits and signs that stand for letters. The length stays the same. */
function foldLetters(text: string): string {
  return text.replaceAll(/[01l!34@5$7]/g, (sign) => letters[sign] ?? sign)
}

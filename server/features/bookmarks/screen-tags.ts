import { InvalidFields } from '../../core/http/errors.ts'
import { type CompiledRules, screenContent } from '../moderation/public-api.ts'

/**
 * Screens tags for many bookmarks at once.
 * @throws InvalidFields for a tag that a rule refuses, or that would hold bookmarks: those are tagged one at a time
 */
export function requireUnheldTags(rules: CompiledRules, field: string, tags: string[]): void {
  if (screenContent(rules, [{ field, tags }]) === null) return
  throw new InvalidFields({ [field]: ['This tag requires review. Add it to one bookmark at a time.'] })
}

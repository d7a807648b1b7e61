/**
 * Usernames that would let their owner pose as the site or as a moderator, or that look like one of them. Usernames are
 * ASCII (contract/protocol/fields.ts), so look-alikes are made of separators and of similar letters and digits.
 */
import type { Db } from '../../../core/database/database.ts'

export const usernameUnavailableText = "This username isn't available."

/** Refused as the whole name, also followed by digits: `admin`, `admin2`, `no-reply`. */
const reservedNames = `
  abuse account accounts admin admins administrator administrators anonymous api author billing bot bots bug bugs
  compliance contact copyright deleted dev developer developers dmca everyone feedback guest help helpdesk hostmaster
  info legal login mail mailer mailerdaemon me mod moderation moderator moderators mods news newsletter nobody noreply
  notification notifications null official operator operators owner owners police postmaster press privacy register
  report reports root safety sales security service settings signup site staff status superuser support sysadmin system
  team terms trust undefined user users verified verify visitor webmaster www
`
  .trim()
  .split(/\s+/)
/** Refused as a part between separators, too: `the_moderator`, `admin-team`. */
const reservedParts = ['admin', 'administrator', 'moderator', 'official', 'staff']
/** Refused anywhere in a name: `reelmarkhelp`. */
const siteName = 'reelmark'

const skeletons = (names: string[]) => new Set(names.map(usernameSkeleton))
const reservedSkeletons = skeletons(reservedNames)
const reservedPartSkeletons = skeletons(reservedParts)
const siteSkeleton = usernameSkeleton(siteName)

/** Returns a form that is equal for names that look similar: `Adm1n.` and `admin`, `modem` and `modern`. */
export function usernameSkeleton(username: string): string {
  return username
    .toLowerCase()
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replaceAll('cl', 'd')
    .replaceAll(/[1i]/g, 'l')
    .replaceAll('0', 'o')
    .replaceAll('3', 'e')
    .replaceAll('4', 'a')
    .replaceAll('5', 's')
    .replaceAll('7', 't')
    .replaceAll(/[_.-]/g, '')
}

/** Returns whether a name is reserved or looks like a reserved one. */
export function isReservedUsername(username: string): boolean {
  const whole = [username, username.replace(/(?<![0-9])[0-9]+$/, '')].map(usernameSkeleton)
  const parts = username.split(/[_.-]/).map(usernameSkeleton)
  return (
    whole.some((skeleton) => reservedSkeletons.has(skeleton) || skeleton.includes(siteSkeleton)) ||
    parts.some((skeleton) => reservedPartSkeletons.has(skeleton))
  )
}

/**
 * Returns whether a user may choose a name: it is not reserved, and it does not look like the name of a moderator.
 * Profiles show who is a moderator, so a refusal reveals nothing. The operator may give reserved names (server/admin.ts).
 * @param userId the user who changes their username, which does not count; null for a new user
 */
export async function canChooseUsername(
  db: Db,
  username: string,
  userId: number | null = null,
): Promise<boolean> {
  if (isReservedUsername(username)) return false
  const moderators = await db<{ username: string }[]>`
    select username from users where is_moderator and id is distinct from ${userId}::bigint`
  const skeleton = usernameSkeleton(username)
  return !moderators.some((moderator) => usernameSkeleton(moderator.username) === skeleton)
}

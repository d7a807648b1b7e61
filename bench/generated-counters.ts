/** Counters of a generated site, counted while its rows are generated, as triggers and jobs would count them. */
import {
  oldWord,
  orientationNames,
  rareWords,
  type SiteSize,
  tagNames,
  vocabulary,
} from './generated-site.ts'

export type Counters = ReturnType<typeof createCounters>

/** What the counters depend on in a bookmark. The only collection of a user has the user's id. */
interface CountedBookmark {
  user: number
  tags: readonly string[]
  orientation: string
  isVisible: boolean
  isListed: boolean
}

export function createCounters({ users, bookmarks }: SiteSize) {
  const tagNumbers = new Map(tagNames.map((tag, number) => [tag, number]))
  const perTag = () => new Int32Array(tagNames.length)
  const perUser = () => new Int32Array(users + 1)
  const uses = { all: perTag(), listed: perTag(), sfw: perTag() }
  const collections = { visible: perUser(), sfw: perUser() }
  const [followers, following] = [perUser(), perUser()]
  const listed = new Map(['all', ...orientationNames].map((name) => [name, 0]))
  /** A user and a tag of a bookmark of the user, as one number. */
  const userTags = new Float64Array(bookmarks * 3)
  let userTagCount = 0

  const countUse = (counts: Int32Array, item: number) => {
    counts[item] = (counts[item] as number) + 1
  }
  const countListed = (name: string) => listed.set(name, (listed.get(name) as number) + 1)

  return {
    countFollow(follower: number, followee: number): void {
      countUse(following, follower)
      countUse(followers, followee)
    },

    countBookmark({ user, tags, orientation, isVisible, isListed }: CountedBookmark): void {
      const isSfw = orientation === 'sfw'
      for (const name of tags) {
        const tag = tagNumbers.get(name) as number
        userTags[userTagCount++] = user * tagNames.length + tag
        if (!isVisible) continue
        countUse(uses.all, tag)
        if (isListed) countUse(uses.listed, tag)
        if (isSfw) countUse(uses.sfw, tag)
      }
      if (!isVisible) return
      countUse(collections.visible, user)
      if (isSfw) countUse(collections.sfw, user)
      if (!isListed) return
      countListed('all')
      countListed(orientation)
    },

    *users(): Generator<(string | number)[]> {
      for (let user = 1; user <= users; user++) {
        const name = `person${user}`
        yield [user, name, `${name}@example.org`, followers[user] as number, following[user] as number]
      }
    },

    *collections(): Generator<(string | number)[]> {
      for (let user = 1; user <= users; user++) {
        yield [user, user, 'My Vault', collections.visible[user] as number, collections.sfw[user] as number]
      }
    },

    *tags(): Generator<(string | number)[]> {
      for (const [tag, name] of tagNames.entries()) {
        const count = uses.all[tag] as number
        if (count > 0) yield [name, count, uses.listed[tag] as number, uses.sfw[tag] as number]
      }
    },

    /** In the order of the primary key. */
    *userTags(): Generator<(string | number)[]> {
      const sorted = userTags.subarray(0, userTagCount).sort()
      for (let first = 0, next = 0; first < userTagCount; first = next) {
        const pair = sorted[first] as number
        while (next < userTagCount && sorted[next] === pair) next++
        yield [Math.floor(pair / tagNames.length), tagNames[pair % tagNames.length] as string, next - first]
      }
    },

    *listings(): Generator<(string | number)[]> {
      for (const [name, count] of listed) if (count > 0) yield [name, count]
    },

    *searchWords(): Generator<string[]> {
      const words = new Set([...vocabulary, oldWord, ...Object.values(rareWords), 'example'])
      for (const word of [...words].sort()) if (word.length >= 4) yield [word]
    },
  }
}

/**
 * A random site of a given size, always the same: who saved which video, in words of which some are common and most are
 * rare. Only what later rows depend on is held in memory; texts are derived again where they are needed.
 */
import { createHash } from 'node:crypto'

export interface SiteSize {
  bookmarks: number
  videos: number
  users: number
}

/** Returns the proportions behind the published measurements: a million bookmarks of 50,000 users. */
export function siteSize(bookmarks: number): SiteSize {
  return {
    bookmarks,
    videos: Math.ceil(bookmarks * 0.7),
    users: Math.max(200, Math.ceil(bookmarks / 20)),
  }
}

const syllables = 'ba de ki lo mu na re si to vu pa ge fi ho lu ma ne ri so tu'.split(' ')

/** Pronounceable words by rank: the k-th is drawn k times more rarely than the first. */
export const vocabulary = Array.from({ length: 20_000 }, (_, index) => {
  const rank = index + 1
  const length = 3 + (rank % 2)
  return Array.from({ length }, (_, at) => syllables[Math.floor((rank * 7919) / 20 ** at) % 20]).join('')
})
/** The number of words that are also tags: the most common ones. */
const tagWords = 2000

/** Words in the titles of the oldest tenth of the videos only: of every second one, and of one in a thousand. */
export const oldWords = { common: 'formerly', rare: 'antiquated' }

/** Users with a role in the measurements; user 1 also saved the most, about 26,000 bookmarks of a million. */
export const roles = {
  follows500: 1,
  /** Likes up to a million videos. */
  likesMost: 2,
  /** Follows up to 10,000 users. */
  follows10000: 3,
}

/** Returns pseudo-random numbers from 0 up to 1 (mulberry32); equal seeds give equal numbers. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Returns an index below `length` by Zipf's law. */
function zipfIndex(random: () => number, length: number): number {
  return Math.min(Math.floor(length ** random()) - 1, length - 1)
}

function zipfWords(random: () => number, count: number): string[] {
  return Array.from({ length: count }, () => vocabulary[zipfIndex(random, vocabulary.length)] as string)
}

/** Pairs of users and videos, each at most once: a hash table, because a Set of this size takes several gigabytes. */
class Pairs {
  readonly #slots: Float64Array
  constructor(count: number) {
    this.#slots = new Float64Array(2 ** Math.ceil(Math.log2(count * 2 + 16)))
  }
  /** Returns whether the pair is new. */
  add(user: number, video: number): boolean {
    const pair = user * 33_554_432 + video + 1
    let slot = Math.imul(user, 0x9e3779b1) ^ Math.imul(video, 0x85ebca6b)
    for (;;) {
      slot = (slot >>> 0) & (this.#slots.length - 1)
      if (this.#slots[slot] === 0) {
        this.#slots[slot] = pair
        return true
      }
      if (this.#slots[slot] === pair) return false
      slot++
    }
  }
}

const orientationNames = ['sfw', 'straight', 'gay', 'bi', 'trans']

/** What the rows of bookmarks, videos and likes depend on. Videos are numbered from 0 by age, bookmarks by their ids from 1. */
export class GeneratedSite {
  readonly size: SiteSize
  readonly #videoIdKey: Buffer
  readonly #start: number
  readonly #end: number
  readonly videoOf: Int32Array
  readonly userOf: Int32Array
  readonly isPublic: Uint8Array
  /** The lead bookmark of each video; 0 if none is public. */
  readonly leadOf: Int32Array
  readonly savesOf: Int32Array
  readonly likesOf: Int32Array
  readonly likers: Int32Array
  readonly liked: Int32Array
  readonly videoIds: Float64Array
  /** The number of bookmarks, which is a little lower than the requested one: no user saves a video twice. */
  bookmarkCount = 0
  likeCount = 0
  videoCount = 0

  /** @param videoIdKey the database's key for deriving ids of videos */
  constructor(size: SiteSize, videoIdKey: Buffer, now = Date.now()) {
    this.size = size
    this.#videoIdKey = videoIdKey
    this.#end = now
    this.#start = now - 3 * 365 * 86_400_000
    this.videoOf = new Int32Array(size.bookmarks + 1)
    this.userOf = new Int32Array(size.bookmarks + 1)
    this.isPublic = new Uint8Array(size.bookmarks + 1)
    this.leadOf = new Int32Array(size.videos)
    this.savesOf = new Int32Array(size.videos)
    this.likesOf = new Int32Array(size.videos)
    this.videoIds = new Float64Array(size.videos)
    this.likers = new Int32Array(size.videos * 2)
    this.liked = new Int32Array(size.videos * 2)
    this.#drawBookmarks()
    this.#drawLikes()
  }

  /** Seven of ten bookmarks are of a new video, the others of a popular or a recent one. Few users save most. */
  #drawBookmarks(): void {
    const { bookmarks, videos, users } = this.size
    const random = seededRandom(2611)
    const pairs = new Pairs(bookmarks)
    for (let draw = 0; draw < bookmarks; draw++) {
      const isNew = this.videoCount === 0 || (random() < 0.7 && this.videoCount < videos)
      const video = isNew ? this.videoCount : this.#popularVideo(random)
      const user = 1 + Math.floor(users * random() ** 3)
      if (!pairs.add(user, video)) continue
      const id = ++this.bookmarkCount
      this.videoOf[id] = video
      this.userOf[id] = user
      if (isNew) this.videoIds[this.videoCount++] = this.#videoId(video)
      if (random() >= 0.8) continue
      this.isPublic[id] = 1
      this.savesOf[video] = (this.savesOf[video] as number) + 1
      if (this.leadOf[video] === 0) this.leadOf[video] = id
    }
  }

  #drawLikes(): void {
    const { users } = this.size
    const random = seededRandom(1207)
    const pairs = new Pairs(this.videoCount)
    const like = (user: number, video: number) => {
      // Only visible videos can be liked.
      if (this.leadOf[video] === 0) return
      this.likers[this.likeCount] = user
      this.liked[this.likeCount++] = video
      this.likesOf[video] = (this.likesOf[video] as number) + 1
    }
    const share = Math.min(0.6, 1_000_000 / this.videoCount)
    for (let video = 0; video < this.videoCount; video++) {
      if (random() < share) like(roles.likesMost, video)
      const user = 1 + Math.floor(users * random() ** 3)
      const popular = this.#popularVideo(random)
      if (user !== roles.likesMost && pairs.add(user, popular)) like(user, popular)
    }
  }

  /** Half of the repeated saves are of a few videos that everyone knows, the others of recent ones. */
  #popularVideo(random: () => number): number {
    const share = random() < 0.5 ? random() ** 4 : 1 - random() ** 2
    return Math.min(Math.floor(this.videoCount * share), this.videoCount - 1)
  }

  #videoId(video: number): number {
    const hash = createHash('sha256').update(this.url(video)).digest()
    return Number.parseInt(
      createHash('sha256')
        .update(this.#videoIdKey)
        .update(hash)
        .update(Buffer.alloc(4))
        .digest('hex')
        .slice(0, 13),
      16,
    )
  }

  /** Returns the random numbers behind one property of a video, bookmark or like: the same ones on each call. */
  #describing(item: number, property: number): () => number {
    return seededRandom(Math.imul(item + 1, 0x9e3779b1) ^ Math.imul(property, 0x85ebca6b))
  }

  host(video: number): string {
    return `site${zipfIndex(this.#describing(video, 1), 300) + 1}.example.org`
  }

  url(video: number): string {
    return `https://${this.host(video)}/watch/${video + 1}`
  }

  titleWords(video: number): string[] {
    const random = this.#describing(video, 2)
    const words = zipfWords(random, 3 + (video % 5))
    if (video < this.videoCount / 10) {
      if (random() < 0.5) words.push(oldWords.common)
      if (random() < 0.001) words.push(oldWords.rare)
    }
    return words
  }

  /** One in three videos has a description. */
  descriptionWords(video: number): string[] {
    return video % 3 === 0 ? zipfWords(this.#describing(video, 3), 12) : []
  }

  /** 80 % sfw, 15 % straight, the others equally often. */
  orientation(video: number): string {
    const dice = this.#describing(video, 4)()
    const index = dice < 0.8 ? 0 : dice < 0.95 ? 1 : 2 + (video % 3)
    return orientationNames[index] as string
  }

  isHidden(video: number): boolean {
    return this.#describing(video, 5)() < 0.03
  }

  tags(bookmark: number): string[] {
    const random = this.#describing(bookmark, 6)
    const tags = Array.from({ length: 3 }, () => vocabulary[zipfIndex(random, tagWords)] as string)
    return [...new Set(tags)]
  }

  /** Bookmarks are spread evenly over three years. */
  savedAt(bookmark: number): string {
    return this.time(bookmark / this.size.bookmarks)
  }

  likedAt(like: number): string {
    return this.time(this.#describing(like, 7)())
  }

  /** Returns the time after a share of the three years, from 0 to 1. */
  time(share: number): string {
    return new Date(this.#start + (this.#end - this.#start) * share).toISOString()
  }
}

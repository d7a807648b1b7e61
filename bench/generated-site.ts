/**
 * A random site of a given size, always the same: who saved which video, in words of which some are common and most are
 * rare. Only what later rows depend on is held in memory; texts are derived again where they are needed.
 */

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
/** In alphabetical order. */
export const tagNames = [...new Set(vocabulary.slice(0, tagWords))].sort()

/** A word in the titles of the oldest tenth of the videos only: of every second one. */
export const oldWord = 'formerly'
/** Words in the titles of 50 videos of a site of any size: of all ages, and of the oldest tenth. */
export const rareWords = { anyAge: 'solitary', old: 'antiquated' }
const rareCount = 50

/** Users with a role in the measurements. */
export const roles = {
  /** About 26,000 bookmarks of a million. */
  savesMost: 1,
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

/**
 * Returns a function that adds a pair of a user and a video and returns whether it is new. It uses a hash table, because a Set
 * of this size takes several gigabytes.
 */
function createPairs(count: number): (user: number, video: number) => boolean {
  const slots = new Float64Array(2 ** Math.ceil(Math.log2(count * 2 + 16)))
  return (user, video) => {
    const pair = user * 33_554_432 + video + 1
    let slot = Math.imul(user, 0x9e3779b1) ^ Math.imul(video, 0x85ebca6b)
    for (;;) {
      slot = (slot >>> 0) & (slots.length - 1)
      if (slots[slot] === 0) {
        slots[slot] = pair
        return true
      }
      if (slots[slot] === pair) return false
      slot++
    }
  }
}

export type GeneratedSite = ReturnType<typeof generateSite>

/**
 * Draws what the rows of bookmarks, videos and likes depend on. Videos are numbered from 0 by age, bookmarks by their ids
 * from 1. `videoIds` can still be incomplete: they are read when rows are.
 */
export function generateSite(size: SiteSize, videoIds: Float64Array, now = Date.now()) {
  const bookmarks = drawBookmarks(size)
  const start = now - 3 * 365 * 86_400_000
  /** Returns the time after a share of the three years, from 0 to 1, in milliseconds. */
  const time = (share: number) => start + (now - start) * share
  return {
    size,
    videoIds,
    ...bookmarks,
    ...drawLikes(size, bookmarks),
    time,
    /** Bookmarks are spread evenly over the three years until now. */
    savedAt: (bookmark: number) => time(bookmark / bookmarks.bookmarkCount),
    likedAt: (like: number) => time(describing(like, 7)()),
    titleWords: (video: number) => titleWords(video, bookmarks.videoCount),
  }
}

/** Seven of ten bookmarks are of a new video, the others of a popular or a recent one. Few users save most. */
function drawBookmarks({ bookmarks, videos, users }: SiteSize) {
  const videoOf = new Int32Array(bookmarks + 1)
  const userOf = new Int32Array(bookmarks + 1)
  const isPublic = new Uint8Array(bookmarks + 1)
  /** The lead bookmark of each video; 0 if none is public. */
  const leadOf = new Int32Array(videos)
  const savesOf = new Int32Array(videos)
  /** A little lower than the requested number: no user saves a video twice. */
  let bookmarkCount = 0
  let videoCount = 0
  const random = seededRandom(2611)
  const addPair = createPairs(bookmarks)
  for (let draw = 0; draw < bookmarks; draw++) {
    const isNew = videoCount === 0 || (random() < 0.7 && videoCount < videos)
    const video = isNew ? videoCount : drawPopularVideo(random, videoCount)
    const user = 1 + Math.floor(users * random() ** 3)
    if (!addPair(user, video)) continue
    const id = ++bookmarkCount
    videoOf[id] = video
    userOf[id] = user
    if (isNew) videoCount++
    if (random() >= 0.8) continue
    isPublic[id] = 1
    savesOf[video] = (savesOf[video] as number) + 1
    if (leadOf[video] === 0) leadOf[video] = id
  }
  return { videoOf, userOf, isPublic, leadOf, savesOf, bookmarkCount, videoCount }
}

function drawLikes({ users, videos }: SiteSize, { leadOf, videoCount }: ReturnType<typeof drawBookmarks>) {
  const likers = new Int32Array(videos * 2)
  const liked = new Int32Array(videos * 2)
  const likesOf = new Int32Array(videos)
  let likeCount = 0
  const random = seededRandom(1207)
  const addPair = createPairs(videoCount)
  const like = (user: number, video: number) => {
    // Only visible videos can be liked.
    if (leadOf[video] === 0) return
    likers[likeCount] = user
    liked[likeCount++] = video
    likesOf[video] = (likesOf[video] as number) + 1
  }
  const share = Math.min(0.6, 1_000_000 / videoCount)
  for (let video = 0; video < videoCount; video++) {
    if (random() < share) like(roles.likesMost, video)
    const user = 1 + Math.floor(users * random() ** 3)
    const popular = drawPopularVideo(random, videoCount)
    if (user !== roles.likesMost && addPair(user, popular)) like(user, popular)
  }
  return { likers, liked, likesOf, likeCount }
}

/** Half of the repeated saves are of a few videos that everyone knows, the others of recent ones. */
function drawPopularVideo(random: () => number, videoCount: number): number {
  const share = random() < 0.5 ? random() ** 4 : 1 - random() ** 2
  return Math.min(Math.floor(videoCount * share), videoCount - 1)
}

/** Returns the random numbers behind one property of a video, bookmark or like: the same ones on each call. */
function describing(item: number, property: number): () => number {
  return seededRandom(Math.imul(item + 1, 0x9e3779b1) ^ Math.imul(property, 0x85ebca6b))
}

export function videoHost(video: number): string {
  return `site${zipfIndex(describing(video, 1), 300) + 1}.example.org`
}

/** The uploader of three of four videos. The most frequent ones have several percent of the videos. */
export function videoUploader(video: number): string | null {
  return video % 4 === 3 ? null : `channel${zipfIndex(describing(video, 6), 20_000) + 1}`
}

export function videoUrl(video: number): string {
  return `https://${videoHost(video)}/watch/${video + 1}`
}

function titleWords(video: number, videoCount: number): string[] {
  const random = describing(video, 2)
  const words = zipfWords(random, 3 + (video % 5))
  const oldCount = videoCount / 10
  // Not the first video: it is the most popular one.
  const isOneOf = (count: number) => (video + 1) % Math.max(Math.floor(count / rareCount), 1) === 0
  if (isOneOf(videoCount)) words.push(rareWords.anyAge)
  if (video < oldCount) {
    if (random() < 0.5) words.push(oldWord)
    if (isOneOf(oldCount)) words.push(rareWords.old)
  }
  return words
}

/** One in three videos has a description. */
export function descriptionWords(video: number): string[] {
  return video % 3 === 0 ? zipfWords(describing(video, 3), 12) : []
}

export const orientationNames = ['sfw', 'straight', 'gay', 'bi', 'trans']

/** 80 % sfw, 15 % straight, the others equally often. */
export function videoOrientation(video: number): string {
  const dice = describing(video, 4)()
  const index = dice < 0.8 ? 0 : dice < 0.95 ? 1 : 2 + (video % 3)
  return orientationNames[index] as string
}

/** In seconds; one in twenty is unknown. */
export function videoDuration(video: number): number | null {
  return video % 20 === 7 ? null : 30 + ((video * 7919) % 7200)
}

export function isHidden(video: number): boolean {
  return describing(video, 5)() < 0.03
}

export function bookmarkTags(bookmark: number): string[] {
  const random = describing(bookmark, 6)
  const tags = Array.from({ length: 3 }, () => vocabulary[zipfIndex(random, tagWords)] as string)
  return [...new Set(tags)]
}

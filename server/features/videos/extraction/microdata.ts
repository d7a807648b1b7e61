import type { VideoMetadata } from './json-ld.ts'

type Scope = { tag: string; depth: number; isVideo: boolean; isAuthor: boolean; props: Map<string, string[]> }
type Reading = { scope: Scope; name: string; tag: string; depth: number; text: string }

const maxOpen = 32
const maxText = 6000
/** Elements without an end tag, which cannot contain others. */
const voidElements = /^(?:meta|link|img|source|embed|br|input|hr|track|area|base|col|wbr)$/

/** Creates a reader that collects schema.org VideoObjects, written as microdata or RDFa, while it receives a page's tags. */
export function createMicrodataReader() {
  const open: Scope[] = []
  const readings: Reading[] = []
  const videos: Scope[] = []

  return {
    open(tag: string, attributes: Record<string, string>): void {
      for (const item of [...open, ...readings]) if (item.tag === tag && !voidElements.test(tag)) item.depth++
      const outer = open.at(-1)
      // RDFa writes the same with other attributes; names with a colon are those of OpenGraph.
      const property = attributes.property?.includes(':') ? undefined : attributes.property
      const names = (attributes.itemprop ?? property)?.split(/\s+/) ?? []
      const type = attributes.itemtype ?? attributes.typeof
      if (outer !== undefined) for (const name of names.slice(0, 4)) addProperty(outer, name, tag, attributes)
      const isScope = attributes.itemscope !== undefined || attributes.typeof !== undefined
      if (!isScope || voidElements.test(tag) || open.length >= maxOpen) return
      const isVideo = /(?:schema\.org\/|^|:)(?:Music)?VideoObject\b/i.test(type ?? '')
      const isAuthor = outer?.isVideo === true && /^(?:author|creator)$/.test(names[0] ?? '')
      const scope: Scope = { tag, depth: 1, isVideo, isAuthor, props: new Map() }
      open.push(scope)
      if (isVideo && videos.length < 20) videos.push(scope)
    },
    close(tag: string): void {
      for (const item of [...open, ...readings]) if (item.tag === tag) item.depth--
      for (let i = readings.length - 1; i >= 0; i--) {
        const reading = readings[i]
        if (reading === undefined || reading.depth > 0) continue
        addValue(reading.scope, reading.name, reading.text)
        readings.splice(i, 1)
      }
      while (open.length > 0 && (open.at(-1)?.depth ?? 1) <= 0) {
        const scope = open.pop()
        const outer = open.at(-1)
        const name = scope?.props.get('name')?.[0]
        const url = scope?.props.get('url')?.[0]
        // `<span itemprop="author" itemscope><link itemprop="name" content="…">`: the author is the name of the item.
        if (scope?.isAuthor && outer !== undefined && name) {
          addValue(outer, 'author', name)
          if (url) addValue(outer, 'authorUrl', url)
        }
      }
    },
    text(text: string): void {
      for (const reading of readings) if (reading.text.length < maxText) reading.text += text
    },
    videos: (): VideoMetadata[] =>
      videos.filter(({ props }) => props.size > 0).map(({ props }, index) => toMetadata(props, index === 0)),
  }

  function addProperty(scope: Scope, name: string, tag: string, attributes: Record<string, string>): void {
    const value =
      attributes.content ??
      attributes.datetime ??
      (tag === 'a' || tag === 'link' ? attributes.href : attributes.src)
    if (value !== undefined) addValue(scope, name, value)
    else if (
      scope.isVideo &&
      attributes.itemscope === undefined &&
      attributes.typeof === undefined &&
      !voidElements.test(tag) &&
      readings.length < maxOpen
    ) {
      readings.push({ scope, name, tag, depth: 1, text: '' })
    }
  }
}

function addValue(scope: Scope, name: string, value: string): void {
  const values = scope.props.get(name) ?? []
  if (value.trim() !== '' && values.length < 20 && scope.props.size < 60)
    scope.props.set(name, [...values, value])
}

function toMetadata(props: Map<string, string[]>, isMain: boolean): VideoMetadata {
  const first = (...names: string[]) =>
    names.map((name) => props.get(name)?.[0]).find((value) => value !== undefined) ?? null
  const friendly = first('isFamilyFriendly')
  return {
    name: first('name', 'headline'),
    description: first('description'),
    thumbnails: ['thumbnailUrl', 'thumbnailURL', 'thumbnail', 'image'].flatMap(
      (name) => props.get(name) ?? [],
    ),
    embedUrl: first('embedUrl', 'embedURL'),
    duration: first('duration'),
    width: first('width'),
    height: first('height'),
    keywords: (props.get('keywords') ?? []).flatMap((words) => words.split(',', 200)),
    author: first('author', 'creator'),
    authorUrl: first('authorUrl'),
    familyFriendly: friendly === null ? null : !/^(?:false|no|0)$/i.test(friendly),
    isMain,
    isVideo: true,
  }
}

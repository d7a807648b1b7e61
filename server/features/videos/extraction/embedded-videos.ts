/** Finds the players that a page contains, in the many ways in which programs that make pages write them. */

/** A link to a player as written, and whether only its frame tells that it is one. */
export type EmbeddedVideo = { url: string; isFrame: boolean }

/** Attributes in which scripts that load frames later, or after a consent, keep the address. */
const frameAttributes =
  /^(?:src|data(?:-[a-z]{1,20}){0,4}-?(?:src|url|href|link|embed|iframe|video)|data-(?:original|lazy|embedsrc|lazyload|cite))$/

/** Elements that stand for the player of one site (`<lite-youtube>`, `<amp-vimeo>`), and attributes that hold an id. */
const sites: Readonly<Record<string, string>> = {
  youtube: 'https://www.youtube.com/watch?v=',
  yt: 'https://www.youtube.com/watch?v=',
  vimeo: 'https://vimeo.com/',
  dailymotion: 'https://www.dailymotion.com/video/',
  wistia: 'https://fast.wistia.net/embed/iframe/',
  tiktok: 'https://www.tiktok.com/@_/video/',
  vidyard: 'https://play.vidyard.com/',
  loom: 'https://www.loom.com/embed/',
  streamable: 'https://streamable.com/',
}

/** Returns the links to players in one element. */
export function readEmbeddedVideos(tag: string, attributes: Record<string, string>): EmbeddedVideo[] {
  const found: EmbeddedVideo[] = []
  const add = (url: string | undefined, isFrame = false) => {
    if (url !== undefined && url !== '' && url.length <= 2048) found.push({ url, isFrame })
  }
  if (/^(?:(?:amp-)?(?:video-)?iframe|embed|frame)$/.test(tag)) {
    for (const [name, value] of Object.entries(attributes)) {
      if (frameAttributes.test(name) && isLink(value)) add(value, tag !== 'embed')
    }
    if (attributes.srcdoc !== undefined) {
      add(
        /\b(?:href|src)=["']?((?:https?:)?\/\/[^"'\s>]{1,2000})/i.exec(
          attributes.srcdoc.slice(0, 10_000),
        )?.[1],
      )
    }
  } else if (tag === 'object') add(attributes.data)
  else if (tag === 'param' && /^(?:movie|src)$/i.test(attributes.name ?? '')) add(attributes.value)
  else if (tag === 'script') add(attributes.src)
  else if (tag === 'blockquote') {
    add(attributes.cite)
    add(attributes['data-instgrm-permalink'])
  } else readElement(tag, attributes, add)
  return found
}

/** Reads elements that a script replaces by a player. */
function readElement(
  tag: string,
  attributes: Record<string, string>,
  add: (url: string | undefined) => void,
): void {
  const ownSite = /(?:^|-)([a-z]+)(?:-video)?$/.exec(tag)?.[1] ?? ''
  const id =
    attributes.videoid ?? attributes['video-id'] ?? attributes['data-videoid'] ?? attributes['data-video-id']
  if (tag.includes('-') && id !== undefined) add(videoLink(ownSite, id))
  const provider = attributes['data-plyr-provider'] ?? attributes['data-provider'] ?? ''
  add(videoLink(provider, attributes['data-plyr-embed-id'] ?? (provider === '' ? '' : (id ?? ''))))
  const account = attributes['data-account']
  if (account !== undefined && attributes['data-video-id'] !== undefined) {
    const player = attributes['data-player'] ?? 'default'
    const embed = attributes['data-embed'] ?? 'default'
    add(
      `https://players.brightcove.net/${account}/${player}_${embed}/index.html?videoId=${attributes['data-video-id']}`,
    )
  }
  add(videoLink('wistia', /\bwistia_async_([a-z0-9]{10})\b/.exec(attributes.class ?? '')?.[1] ?? ''))
  for (const [name, value] of Object.entries(attributes)) {
    if (!name.startsWith('data-')) continue
    const site = /^data-(youtube|yt|vimeo|dailymotion|wistia|loom)(?:-?video)?-?(?:id|key|code)?$/.exec(
      name,
    )?.[1]
    if (site !== undefined) add(isLink(value) ? value : videoLink(site, value))
    else if (/^data-(?:[a-z]{1,20}-)?(?:src|href|url|embed|video|link|iframe)$/.test(name) && isLink(value))
      add(value)
  }
}

function videoLink(site: string, id: string): string | undefined {
  const start = Object.hasOwn(sites, site) ? sites[site] : undefined
  return start === undefined || !/^[\w-]{4,40}$/.test(id) ? undefined : start + id
}

function isLink(text: string): boolean {
  return /^\s*(?:https?:)?\/\/[^/\s]/i.test(text)
}

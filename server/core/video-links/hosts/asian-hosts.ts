import { toBvid } from '../id-encodings.ts'
import type { VideoHost } from '../video-host.ts'

/** Hosts of East and South Asia, Iran and Turkey. */
export const asianHosts: readonly VideoHost[] = [
  {
    name: 'bilibili',
    parts: { id: /BV1[1-9A-HJ-NP-Za-km-z]{9}/, av: /\d{1,16}/, p: /\d{1,4}/ },
    id: '{id}[/p{p}]',
    links: [
      ...['{id}', 'av{av}'].flatMap((id) => [
        `*.bilibili.com/**/${id}?[p={p}]`,
        `b23.tv/${id}?[p={p}]`,
        `b23.tv/${id}/p{p}`,
        `acg.tv/${id}`,
      ]),
      ...['bvid={id}', 'aid={av}'].flatMap((id) => [
        `*.bilibili.com/**?${id}&[page={p}]`,
        `*.bilibili.com/**?${id}&[p={p}]`,
      ]),
    ],
    canonical: 'https://www.bilibili.com/video/{id}[?p={p}]',
    embed: 'https://player.bilibili.com/player.html?bvid={id}&autoplay=0[&page={p}]',
    validate({ id, av, p }) {
      const bvid = id ?? (av === undefined ? null : toBvid(av))
      if (bvid === null) return null
      return { id: bvid, ...(p !== undefined && Number(p) > 1 ? { p: String(Number(p)) } : {}) }
    },
  },
  {
    name: 'bilibili',
    parts: { id: /\d{1,10}/ },
    id: 'ep{id}',
    links: [
      '*.bilibili.com/bangumi/play/ep{id}',
      'b23.tv/ep{id}',
      '*.bilibili.com/bangumi/play/*?ep_id={id}',
    ],
    canonical: 'https://www.bilibili.com/bangumi/play/ep{id}',
  },
  {
    name: 'bilibili.tv',
    parts: { id: /\d{8,20}/ },
    links: ['*.bilibili.tv/video/{id}', '*.bilibili.tv/*/video/{id}', '*.biliintl.com/*/video/{id}'],
    canonical: 'https://www.bilibili.tv/en/video/{id}',
  },
  {
    name: 'bilibili.tv',
    parts: { series: /\d{4,12}/, id: /\d{4,20}/ },
    id: 'play/{series}/{id}',
    links: [
      '*.bilibili.tv/play/{series}/{id}',
      '*.bilibili.tv/*/play/{series}/{id}',
      '*.biliintl.com/*/play/{series}/{id}',
    ],
    canonical: 'https://www.bilibili.tv/en/play/{series}/{id}',
  },
  {
    name: 'niconico',
    parts: { id: /(?:sm|so|nm|nl)?\d{1,12}/ },
    links: [
      'nicovideo.jp/watch/{id}/**',
      'embed.nicovideo.jp/watch/{id}/**',
      'sp.nicovideo.jp/watch/{id}',
      'nico.ms/{id}',
      'ext.nicovideo.jp/thumb/{id}',
      'ext.nicovideo.jp/thumb_watch/{id}',
    ],
    canonical: 'https://www.nicovideo.jp/watch/{id}',
    embed: 'https://embed.nicovideo.jp/watch/{id}',
  },
  {
    name: 'niconico',
    parts: { id: /lv\d{1,12}/ },
    links: ['live.nicovideo.jp', 'live2.nicovideo.jp', 'sp.live.nicovideo.jp']
      .flatMap((host) => [`${host}/watch/{id}`, `${host}/gate/{id}`, `${host}/embed/{id}`])
      .concat('nico.ms/{id}'),
    canonical: 'https://live.nicovideo.jp/watch/{id}',
    embed: 'https://live.nicovideo.jp/embed/{id}',
  },
  {
    name: 'twitcasting',
    parts: { user: /[\w:]{1,60}/, id: /\d{4,12}/ },
    id: '{user}/{id}',
    links: ['movie', 'embeddedplayer', 'moviepopup'].map((word) => `*.twitcasting.tv/{user}/${word}/{id}`),
    canonical: 'https://twitcasting.tv/{user}/movie/{id}',
    embed: 'https://twitcasting.tv/{user}/embeddedplayer/{id}?auto_play=false',
  },
  {
    name: 'openrec',
    parts: { kind: /live|movie|capture/, id: /[a-z0-9]{8,14}/ },
    id: '{kind}/{id}',
    links: ['openrec.tv/{kind}/{id}', 'mellow-fan.com/{kind}/{id}'],
    canonical: 'https://www.openrec.tv/{kind}/{id}',
    embed: 'https://www.openrec.tv/embed/{id}',
  },
  {
    name: 'openrec',
    // Player links do not say which kind of video it is, and pages require it.
    parts: { id: /[a-z0-9]{8,14}/ },
    id: 'embed/{id}',
    links: ['openrec.tv/embed/{id}', 'mellow-fan.com/embed/{id}'],
    canonical: 'https://www.openrec.tv/embed/{id}',
    embed: 'https://www.openrec.tv/embed/{id}',
  },
  {
    name: 'naver',
    parts: { id: /\d{3,12}/ },
    links: ['v', 'h', 'embed']
      .map((word) => `*.tv.naver.com/${word}/{id}`)
      .concat('tvcast.naver.com/v/{id}/**'),
    canonical: 'https://tv.naver.com/v/{id}',
    embed: 'https://tv.naver.com/embed/{id}',
    oembed: 'https://tv.naver.com/oembed',
  },
  {
    name: 'chzzk',
    parts: { id: /\d{1,12}/ },
    links: ['*.chzzk.naver.com/video/{id}'],
    canonical: 'https://chzzk.naver.com/video/{id}',
  },
  {
    name: 'chzzk',
    parts: { id: /[\w-]{8,24}/ },
    id: 'clips/{id}',
    links: ['*.chzzk.naver.com/clips/{id}', '*.chzzk.naver.com/embed/clip/{id}'],
    canonical: 'https://chzzk.naver.com/clips/{id}',
    embed: 'https://chzzk.naver.com/embed/clip/{id}',
  },
  {
    name: 'kakao',
    parts: { id: /\d{6,12}/ },
    links: [
      'tv.kakao.com/channel/*/cliplink/{id}',
      'tv.kakao.com/v/{id}',
      '*.kakao.com/embed/player/cliplink/{id}',
    ],
    canonical: 'https://tv.kakao.com/v/{id}',
    embed: 'https://play-tv.kakao.com/embed/player/cliplink/{id}',
    oembed: 'https://tv.kakao.com/oembed',
  },
  {
    name: 'soop',
    parts: { id: /\d{5,12}/ },
    links: ['sooplive.com', 'sooplive.co.kr', 'afreecatv.com'].flatMap((host) => [
      `vod.${host}/player/{id}/**`,
      `vod.${host}/PLAYER/STATION/{id}`,
      `vod.${host}/ST/{id}`,
    ]),
    canonical: 'https://vod.sooplive.co.kr/player/{id}',
    embed: 'https://vod.sooplive.co.kr/player/{id}/embed',
  },
  {
    name: 'youku',
    parts: { id: /X[A-Za-z0-9]{8,30}/ },
    links: [
      ...['', '=*', '.html', '_*'].flatMap((rest) => [
        `*.youku.com/*/id_{id}${rest}`,
        `play.tudou.com/v_show/id_{id}${rest}`,
      ]),
      '*.youku.com/**?vid={id}',
      ...['', '=*'].flatMap((rest) => [
        `player.youku.com/embed/{id}${rest}`,
        `player.youku.com/player.php/sid/{id}${rest}/v.swf`,
      ]),
    ],
    canonical: 'https://v.youku.com/v_show/id_{id}.html',
    embed: 'https://player.youku.com/embed/{id}',
  },
  {
    name: 'tencent',
    parts: { id: /[a-z]\w{10}/ },
    links: [
      ...['v', 'm.v'].flatMap((host) => [
        ...['x/page', 'page/*/*/*', 'boke/page/*/*/*', 'x/page/*/*/*', 'x/cover/*', 'cover/*/*'].map(
          (path) => `${host}.qq.com/${path}/{id}.html`,
        ),
        `${host}.qq.com/**?vid={id}`,
      ]),
      'static.video.qq.com/*.swf?vid={id}',
      'imgcache.qq.com/**?vid={id}',
    ],
    canonical: 'https://v.qq.com/x/page/{id}.html',
    embed: 'https://v.qq.com/txp/iframe/player.html?vid={id}',
  },
  {
    name: 'acfun',
    parts: { id: /\d{3,12}/, p: /[2-9]|\d{2,3}/ },
    id: '{id}[_{p}]',
    links: [
      '*.acfun.cn/v/ac{id}[_{p}]',
      '*.acfun.cn/v/ac{id}_1',
      '*.acfun.cn/player/ac{id}',
      '*.acfun.cn/v/?ac={id}',
      'acfun.tv/v/ac{id}',
    ],
    canonical: 'https://www.acfun.cn/v/ac{id}[_{p}]',
    embed: 'https://www.acfun.cn/player/ac{id}',
  },
  {
    name: 'acfun',
    parts: { id: /aa\d{3,12}(?:_\d{1,12}){0,2}/ },
    links: ['*.acfun.cn/bangumi/{id}'],
    canonical: 'https://www.acfun.cn/bangumi/{id}',
  },
  {
    name: 'weibo',
    parts: { id: /\d{4}:[0-9a-f]{10,32}/ },
    links: ['*.weibo.com/tv/show/{id}', '*.weibo.com/tv/v/*?fid={id}', '*.weibo.com/show?fid={id}'],
    canonical: 'https://weibo.com/tv/show/{id}',
  },
  {
    name: 'aparat',
    parts: { id: /[A-Za-z0-9]{5,8}/ },
    links: [
      'aparat.com/v/{id}/**',
      'aparat.com/embed/{id}',
      'aparat.com/video/video/embed/videohash/{id}/vt/frame',
    ],
    canonical: 'https://www.aparat.com/v/{id}',
    embed: 'https://www.aparat.com/video/video/embed/videohash/{id}/vt/frame',
    oembed: 'https://www.aparat.com/oembed',
  },
  {
    name: 'izlesene',
    parts: { title: /[\w-]+/, id: /\d{1,20}/ },
    id: '{title}/{id}',
    links: ['izlesene.com/video/{title}/{id}'],
    canonical: 'https://www.izlesene.com/video/{title}/{id}',
    embed: 'https://www.izlesene.com/embedplayer/{id}?autoplay=0',
  },
  {
    name: 'izlesene',
    parts: { id: /\d{1,20}/ },
    links: ['izlesene.com/embedplayer/{id}'],
    canonical: 'https://www.izlesene.com/embedplayer/{id}',
    embed: 'https://www.izlesene.com/embedplayer/{id}?autoplay=0',
  },
  {
    name: 'ixigua',
    parts: { id: /\d{15,21}/ },
    links: ['ixigua.com/{id}', 'ixigua.com/iframe/{id}', 'ixigua.com/i{id}', 'ixigua.com/video/{id}'],
    canonical: 'https://www.ixigua.com/{id}',
    embed: 'https://www.ixigua.com/iframe/{id}?autoplay=0',
  },
]

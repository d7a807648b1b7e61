import { expect, test } from 'vitest'
import { filledFields, readUpload } from './read-upload.fixture.ts'
import { createZip, type ZipEntry } from './zip.fixture.ts'

const watch = (id: string) => `https://www.youtube.com/watch?v=${id}`
const channel = 'UCaaaaaaaaaaaaaaaaaaaaaa'

const history = [
  {
    header: 'YouTube',
    title: 'Watched A film',
    titleUrl: watch('aaaaaaaaaaa'),
    subtitles: [{ name: 'Channel', url: `https://www.youtube.com/channel/${channel}` }],
    time: '2023-11-14T22:13:20.000Z',
    products: ['YouTube'],
  },
  { header: 'YouTube', title: 'Watched a video that has been removed', time: '2023-11-14T22:13:21.000Z' },
  {
    header: 'YouTube',
    title: 'Watched An advertisement',
    titleUrl: watch('bbbbbbbbbbb'),
    time: '2023-11-14T22:13:22.000Z',
    details: [{ name: 'From Google Ads' }],
  },
]

const cell = (
  content: string,
) => `<div class="outer-cell mdl-cell mdl-cell--12-col mdl-shadow--2dp"><div class="mdl-grid">
<div class="header-cell mdl-cell mdl-cell--12-col"><p class="mdl-typography--title">YouTube<br></p></div>
<div class="content-cell mdl-cell mdl-cell--6-col mdl-typography--body-1">${content}</div>
<div class="content-cell mdl-cell mdl-cell--6-col mdl-typography--body-1 mdl-typography--text-right"></div>
<div class="content-cell mdl-cell mdl-cell--12-col mdl-typography--caption"><b>Products:</b><br>&emsp;YouTube<br></div>
</div></div>`
const historyPage = (...times: string[]) =>
  `<html><head><title>History</title><style>.mdl-grid{display:flex}</style></head><body><div class="mdl-grid">${times
    .map((time) =>
      cell(
        `Watched\u00a0<a href="${watch('aaaaaaaaaaa')}">A &amp; B</a><br><a href="https://www.youtube.com/channel/${channel}">Channel</a><br>${time}<br>`,
      ),
    )
    .join(
      '\n',
    )}${cell('Watched a video that has been removed<br>May 3, 2024, 10:11:12 PM CEST')}</div></body></html>`

const language = {
  english: {
    root: 'Takeout/YouTube and YouTube Music',
    subscriptions: 'subscriptions/subscriptions.csv',
    subscriptionsHeader: 'Channel Id,Channel Url,Channel Title',
    index: 'playlists/playlists.csv',
    indexHeader:
      'Playlist ID,Add new videos to top,Playlist Image 1 Create Timestamp,Playlist Image 1 URL,Playlist Image 1 Height,Playlist Image 1 Width,Playlist Title (Original),Playlist Title (Original) Language,Playlist Create Timestamp,Playlist Update Timestamp,Playlist Video Order,Playlist Visibility',
    indexRow: (title: string) =>
      `PLaaaa,False,,,,,${title},,2015-01-01T01:02:03+00:00,2022-10-28T02:23:15+00:00,Manual,Public`,
    videosHeader: 'Video ID,Playlist Video Creation Timestamp',
    playlist: 'playlists/Rock _ Pop-videos.csv',
    watchLater: 'playlists/Watch later-videos.csv',
    liked: 'playlists/Liked videos.csv',
    history: 'history/watch-history.json',
  },
  spanish: {
    root: 'Takeout/YouTube y YouTube Music',
    subscriptions: 'suscripciones/suscripciones.csv',
    subscriptionsHeader: 'ID del canal,URL del canal,Título del canal',
    index: 'listas de reproducción/listas de reproducción.csv',
    indexHeader:
      'ID de playlist,Agregar los videos nuevos a la parte superior,Marca de tiempo de creación,Marca de tiempo de actualización,Orden de la playlist de video,Visibilidad de la playlist,Título de la playlist (original),Título de la playlist,Idioma del título (original),Idioma del título',
    indexRow: (title: string) =>
      `PLaaaa,false,2015-01-01T01:02:03+00:00,2022-10-28T02:23:15+00:00,manual,Public,${title},${title},,`,
    videosHeader: 'ID de video,Marca de tiempo de creación del video de la playlist',
    playlist: 'listas de reproducción/Rock _ Pop videos.csv',
    watchLater: 'listas de reproducción/Ver más tarde-vídeos.csv',
    liked: 'listas de reproducción/Vídeos que me gustan-vídeos.csv',
    history: 'historial/historial de reproducciones.json',
  },
  korean: {
    root: 'Takeout/YouTube 및 YouTube Music',
    subscriptions: '구독정보/구독정보.csv',
    subscriptionsHeader: '채널 ID,채널 URL,채널 제목',
    index: '재생목록/재생목록.csv',
    indexHeader: '재생목록 ID,맨 위에 추가,제목,제목 언어,생성 타임스탬프,업데이트 타임스탬프,순서,공개 상태',
    indexRow: (title: string) =>
      `PLaaaa,False,${title},,2015-01-01T01:02:03+00:00,2022-10-28T02:23:15+00:00,Manual,Public`,
    videosHeader: '동영상 ID,재생목록 동영상 생성 타임스탬프',
    playlist: '재생목록/Rock _ Pop-동영상.csv',
    watchLater: '재생목록/나중에 볼 동영상-동영상.csv',
    liked: '재생목록/좋아요 표시한 동영상.csv',
    history: '시청 기록/시청 기록.json',
  },
} as const

test.each(Object.keys(language) as (keyof typeof language)[])(
  'the zip file of an export in %s is read with playlists, Watch Later, likes, subscriptions and history',
  async (name) => {
    const words = language[name]
    const videos = (...ids: string[]) =>
      `${words.videosHeader}\n${ids.map((id) => `${id},2024-03-01T10:00:00+00:00`).join('\n')}\n`
    const files: Record<string, string> = {
      [words.subscriptions]: `${words.subscriptionsHeader}\n${channel},http://www.youtube.com/channel/${channel},"Films, etc."\n`,
      [words.index]: `${words.indexHeader}\n${words.indexRow('Rock / Pop')}\n`,
      [words.playlist]: videos('ccccccccccc', '-dddddddddd'),
      [words.watchLater]: videos('eeeeeeeeeee'),
      [words.liked]: videos('fffffffffff'),
      [words.history]: JSON.stringify(history),
      'channels/channel.csv': `Channel ID,Channel Title (Original),Channel Visibility\n${channel},Mine,Public\n`,
      'comments/comments.csv':
        'Comment ID,Channel ID,Video ID,Comment Text\nx,y,aaaaaaaaaaa,https://vimeo.com/1\n',
      'videos/videos.csv': 'Video ID,Approx Duration (ms),Video Title (Original)\naaaaaaaaaaa,1000,Mine\n',
      'history/search-history.json': JSON.stringify([
        {
          header: 'YouTube',
          title: 'Searched for x',
          titleUrl: 'https://www.youtube.com/results?search_query=x',
          time: '2023-11-14T22:13:20.000Z',
        },
      ]),
    }
    const entries: ZipEntry[] = Object.entries(files).map(([path, content]) => ({
      name: `${words.root}/${path}`,
      content,
    }))
    entries.push({
      name: 'Takeout/archive_browser.html',
      content: '<html><a href="https://vimeo.com/1">x</a></html>',
    })
    entries.push({ name: `${words.root}/videos/film.mp4`, content: Buffer.alloc(1000) })

    const { detected, items, rejected } = await readUpload(createZip(entries))
    expect(detected).toMatchObject({ format: 'zip', label: 'YouTube export (Takeout)', ignored: 6 })
    const saved_at = '2024-03-01T10:00:00.000Z'
    expect(items.map(filledFields)).toEqual([
      { kind: 'subscription', url: `https://www.youtube.com/channel/${channel}`, title: 'Films, etc.' },
      { url: watch('ccccccccccc'), folders: ['Rock / Pop'], saved_at, is_private: false, list_position: 0 },
      { url: watch('-dddddddddd'), folders: ['Rock / Pop'], saved_at, is_private: false, list_position: 1 },
      { kind: 'watch_later', url: watch('eeeeeeeeeee'), saved_at, list_position: 0 },
      { kind: 'liked', url: watch('fffffffffff'), saved_at, list_position: 0 },
      { kind: 'watched', url: watch('aaaaaaaaaaa'), title: 'A film', saved_at: '2023-11-14T22:13:20.000Z' },
    ])
    expect(rejected).toEqual([
      {
        file: `${words.root}/${words.history}`,
        row: 2,
        what: 'a video that has been removed',
        reason: "It isn't a video, or the video was deleted.",
      },
    ])
  },
)

test('a history as a page is read with its times in English, German and ISO form; others are unknown', async () => {
  const { detected, items, rejected } = await readUpload(
    historyPage(
      'May 3, 2024, 10:11:12\u202fPM CEST',
      '6 Jun 2024, 08:53:12 GMT+02:00',
      '03.05.2024, 22:11:12 MESZ',
      '2024-05-03 22:11:12 UTC',
      '5. maj 2024, 01:34:47 CEST',
    ),
  )
  expect(detected).toMatchObject({ format: 'youtube-history-page', label: 'YouTube history' })
  expect(items.map(filledFields)).toEqual(
    [
      '2024-05-03T20:11:12.000Z',
      '2024-06-06T06:53:12.000Z',
      '2024-05-03T20:11:12.000Z',
      '2024-05-03T22:11:12.000Z',
      null,
    ].map((saved_at) => ({
      kind: 'watched',
      url: watch('aaaaaaaaaaa'),
      title: 'A & B',
      ...(saved_at === null ? {} : { saved_at }),
    })),
  )
  expect(rejected).toHaveLength(1)
})

test('a playlist of an older export names itself; its id tells Watch Later from others', async () => {
  const playlist = (id: string, title: string, visibility: string) =>
    `Playlist Id,Channel Id,Time Created,Time Updated,Title,Description,Visibility
${id},${channel},2019-01-01 00:00:00 UTC,2019-01-02 00:00:00 UTC,${title},,${visibility}

Video Id,Time Added
aaaaaaaaaaa,2020-03-04 05:06:07 UTC
broken,2020-03-04 05:06:08 UTC
`
  const mix = await readUpload(playlist('PLaaaa', '"Mix, old"', 'Private'))
  expect(mix.items.map(filledFields)).toEqual([
    {
      url: watch('aaaaaaaaaaa'),
      folders: ['Mix, old'],
      saved_at: '2020-03-04T05:06:07.000Z',
      is_private: true,
      list_position: 0,
    },
  ])
  expect(mix.rejected).toMatchObject([{ row: 2, what: 'broken', reason: "It isn't the id of a video." }])
  const later = await readUpload(playlist('WL', 'Irgendwas', 'Private'))
  expect(later.items.map(({ kind }) => kind)).toEqual(['watch_later'])
})

test('lists of the oldest exports, as JSON, are read', async () => {
  const playlist = await readUpload(
    JSON.stringify([
      {
        contentDetails: { videoId: 'aaaaaaaaaaa' },
        snippet: {
          title: 'A film',
          playlistId: 'LLxyz',
          position: 3,
          publishedAt: '2019-03-04T05:06:07.000Z',
          resourceId: { kind: 'youtube#video', videoId: 'aaaaaaaaaaa' },
        },
      },
      { snippet: { title: 'Channel', resourceId: { kind: 'youtube#channel', channelId: channel } } },
      { snippet: { title: 'Neither' } },
    ]),
  )
  expect(playlist.items.map(filledFields)).toEqual([
    {
      kind: 'liked',
      url: watch('aaaaaaaaaaa'),
      title: 'A film',
      saved_at: '2019-03-04T05:06:07.000Z',
      list_position: 3,
    },
    { kind: 'subscription', url: `https://www.youtube.com/channel/${channel}`, title: 'Channel' },
  ])
  expect(playlist.rejected).toMatchObject([{ what: 'Neither' }])
})

test('single files of an export are read without its zip file', async () => {
  const list = await readUpload(
    'Video ID,Playlist Video Creation Timestamp\naaaaaaaaaaa,2024-03-01T10:00:00+00:00\n',
  )
  expect(list.items.map(filledFields)).toEqual([
    {
      url: watch('aaaaaaaaaaa'),
      folders: ['YouTube playlist'],
      saved_at: '2024-03-01T10:00:00.000Z',
      list_position: 0,
    },
  ])
  const empty = await readUpload('Video ID,Playlist Video Creation Timestamp\n')
  expect(empty).toMatchObject({ detected: { format: 'youtube-playlist-csv' }, items: [], rejected: [] })
  const subscriptions = await readUpload(
    `Channel Id,Channel Url,Channel Title\n${channel},,Tango\nbroken,,Broken\n`,
  )
  expect(subscriptions.items).toHaveLength(1)
  expect(subscriptions.rejected).toMatchObject([{ what: 'Broken' }])
})

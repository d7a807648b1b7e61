/**
 * Files as other tools write them, made up after their documentation, exporters and the tests of these. Each with what is
 * read from it.
 */
import type { ImportedItem } from './imported-item.ts'

export interface ToolFile {
  tool: string
  format: string
  label: string
  content: string
  items: Partial<ImportedItem>[]
  /** The reasons for items that are not usable, in order. */
  rejected?: string[]
}

const json = (value: unknown) => JSON.stringify(value, null, 2)
const watch = (id: string) => `https://www.youtube.com/watch?v=${id}`

const netscapeHead = `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<!-- This is an automatically generated file.
     It will be read and overwritten.
     DO NOT EDIT! -->
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks</H1>
`

const bookmarkPages: ToolFile[] = [
  {
    tool: 'Chrome',
    format: 'bookmark-page',
    label: 'Bookmarks',
    content: `${netscapeHead}<DL><p>
    <DT><H3 ADD_DATE="1700000000" LAST_MODIFIED="1700000001" PERSONAL_TOOLBAR_FOLDER="true">Bookmarks bar</H3>
    <DL><p>
        <DT><A HREF="https://vimeo.com/1?a=1&amp;b=2" ADD_DATE="1700000000" ICON="data:image/png;base64,iVBORw0KGgo=">Tom &amp; Jerry &lt;3</A>
        <DT><H3 ADD_DATE="1700000000" LAST_MODIFIED="0">Music</H3>
        <DL><p>
            <DT><A HREF="https://vimeo.com/2" ADD_DATE="0">Second</A>
        </DL><p>
        <DT><H3 ADD_DATE="1700000000" LAST_MODIFIED="0">Empty</H3>
        <DL><p>
        </DL><p>
        <DT><A HREF="https://vimeo.com/3" ADD_DATE="1700000002">Third</A>
    </DL><p>
    <DT><A HREF="javascript:alert(1)" ADD_DATE="1700000003">Bookmarklet</A>
    <DT><A HREF="https://vimeo.com/4">Fourth</A>
</DL><p>
`,
    items: [
      {
        url: 'https://vimeo.com/1?a=1&b=2',
        title: 'Tom & Jerry <3',
        folders: ['Bookmarks bar'],
        saved_at: '2023-11-14T22:13:20.000Z',
      },
      { url: 'https://vimeo.com/2', title: 'Second', folders: ['Bookmarks bar', 'Music'] },
      {
        url: 'https://vimeo.com/3',
        title: 'Third',
        folders: ['Bookmarks bar'],
        saved_at: '2023-11-14T22:13:22.000Z',
      },
      { url: 'https://vimeo.com/4', title: 'Fourth' },
    ],
    rejected: ["Its link isn't the address of a web page."],
  },
  {
    tool: 'Firefox',
    format: 'bookmark-page',
    label: 'Bookmarks',
    content: `${netscapeHead}<DL><p>
    <DT><H3 ADD_DATE="1700000000">Mozilla Firefox</H3>
    <DD>A folder with a description
    <DL><p>
        <DT><A HREF="https://vimeo.com/5" ADD_DATE="1700000000" LAST_MODIFIED="1700000000" TAGS="film,Short Film" SHORTCUTURL="v">Fifth</A>
        <DD>What it is about
        <HR>
        <DT><A HREF="place:sort=8&maxResults=10" ADD_DATE="1700000000">Most Visited</A>
    </DL>
</DL>
`,
    items: [
      {
        url: 'https://vimeo.com/5',
        title: 'Fifth',
        description: 'What it is about',
        tags: ['film', 'short film'],
        folders: ['Mozilla Firefox'],
        saved_at: '2023-11-14T22:13:20.000Z',
      },
    ],
    rejected: ["Its link isn't the address of a web page."],
  },
  {
    tool: 'linkding',
    format: 'bookmark-page',
    label: 'Bookmarks',
    content: [
      '<!DOCTYPE NETSCAPE-Bookmark-file-1>',
      '<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">',
      '<TITLE>Bookmarks</TITLE>',
      '<H1>Bookmarks</H1>',
      '<DL><p>',
      '<DT><A HREF="https://vimeo.com/6" ADD_DATE="1700000000" LAST_MODIFIED="1700000000" PRIVATE="1" TOREAD="1" TAGS="go,linkding:bookmarks.archived">Sixth</A>',
      '<DD>Desc &lt;test&gt;[linkding-notes]Note &amp; more[/linkding-notes]',
      '<DT><A HREF="https://vimeo.com/7" ADD_DATE="1700000000" PRIVATE="0" TOREAD="0" TAGS="">Seventh</A>',
      '</DL><p>',
    ].join('\n\r'),
    items: [
      {
        kind: 'watch_later',
        url: 'https://vimeo.com/6',
        title: 'Sixth',
        description: 'Desc <test>',
        note: 'Note & more',
        tags: ['go'],
        saved_at: '2023-11-14T22:13:20.000Z',
        is_private: true,
      },
      {
        url: 'https://vimeo.com/7',
        title: 'Seventh',
        saved_at: '2023-11-14T22:13:20.000Z',
        is_private: false,
      },
    ],
  },
  {
    tool: 'Shaarli',
    format: 'bookmark-page',
    label: 'Bookmarks',
    content: `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<!-- This is an automatically generated file.
Shaarli all bookmarks export on 2024/01/01 00:00:00 -->
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks</H1>
<DL><p>
<DT><A HREF="https://vimeo.com/8" ADD_DATE="1700000000" LAST_MODIFIED="1700000001" PRIVATE="0" TAGS="one,two">Eighth</A>
<DD>First line
Second line
</DL><p>
`,
    items: [
      {
        url: 'https://vimeo.com/8',
        title: 'Eighth',
        description: 'First line\nSecond line',
        tags: ['one', 'two'],
        saved_at: '2023-11-14T22:13:20.000Z',
        is_private: false,
      },
    ],
  },
  {
    tool: 'Raindrop (HTML)',
    format: 'bookmark-page',
    label: 'Bookmarks',
    content: `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Raindrop.io Bookmarks</TITLE>
<H1>Raindrop.io Bookmarks</H1>
<DL><p>
<DT><H3 ADD_DATE="1700000000" LAST_MODIFIED="1700000000">Unsorted</H3>
<DL><p>
<DT><A HREF="https://vimeo.com/9" ADD_DATE="1700000000" LAST_MODIFIED="1700000000" TAGS="a,b" DATA-COVER="https://example.org/c.jpg" DATA-IMPORTANT="true">Ninth</A>
<DD>Excerpt
</DL><p>
</DL><p>`,
    items: [
      {
        url: 'https://vimeo.com/9',
        title: 'Ninth',
        description: 'Excerpt',
        tags: ['a', 'b'],
        folders: ['Unsorted'],
        saved_at: '2023-11-14T22:13:20.000Z',
      },
    ],
  },
  {
    tool: 'Pinboard (HTML) and Diigo',
    format: 'bookmark-page',
    label: 'Bookmarks',
    content: `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Pinboard Bookmarks</TITLE>
<H1>Bookmarks</H1>
<DL><p><DT><A HREF="https://vimeo.com/10" ADD_DATE="1700000000" PRIVATE="1" TOREAD="0" TAGS="x,y">Tenth</A>
<DD>Extended
</DL></p>`,
    items: [
      {
        url: 'https://vimeo.com/10',
        title: 'Tenth',
        description: 'Extended',
        tags: ['x', 'y'],
        saved_at: '2023-11-14T22:13:20.000Z',
        is_private: true,
      },
    ],
  },
  {
    tool: 'Pocket (HTML)',
    format: 'bookmark-page',
    label: 'Bookmarks',
    content: `<!DOCTYPE html>
<html><!--So long and thanks for all the fish--><head><meta http-equiv="Content-Type" content="text/html; charset=UTF-8" />
<title>Pocket Export</title></head><body><h1>Unread</h1><ul>
<li><a href="https://vimeo.com/11" time_added="1700000000" tags="film,art">Eleventh</a></li>
</ul><h1>Read Archive</h1><ul>
<li><a href="https://vimeo.com/12" time_added="1700000001" tags="">https://vimeo.com/12</a></li>
</ul></body></html>`,
    items: [
      {
        url: 'https://vimeo.com/11',
        title: 'Eleventh',
        tags: ['film', 'art'],
        saved_at: '2023-11-14T22:13:20.000Z',
      },
      { url: 'https://vimeo.com/12', saved_at: '2023-11-14T22:13:21.000Z' },
    ],
  },
]

const jsonFiles: ToolFile[] = [
  {
    tool: 'Pinboard',
    format: 'pinboard',
    label: 'Pinboard',
    content: json([
      {
        href: 'https://vimeo.com/20',
        description: 'Title',
        extended: 'Text',
        meta: 'abc',
        hash: 'def',
        time: '2023-11-14T22:13:20Z',
        shared: 'no',
        toread: 'yes',
        tags: 'one two',
      },
      { href: 'https://vimeo.com/21', description: '', extended: '', shared: 'yes', toread: 'no', tags: '' },
    ]),
    items: [
      {
        kind: 'watch_later',
        url: 'https://vimeo.com/20',
        title: 'Title',
        description: 'Text',
        tags: ['one', 'two'],
        saved_at: '2023-11-14T22:13:20.000Z',
        is_private: true,
      },
      { url: 'https://vimeo.com/21', is_private: false },
    ],
  },
  {
    tool: 'wallabag',
    format: 'wallabag',
    label: 'wallabag',
    content: json([
      {
        is_archived: 0,
        is_starred: 1,
        tags: ['film', 'Kurz Film'],
        is_public: false,
        id: 7,
        title: 'Title',
        url: 'https://vimeo.com/22',
        given_url: 'https://vimeo.com/22?a=b',
        content: '<p>A long text</p>',
        created_at: '2023-11-14T23:13:20+0100',
        annotations: [{ text: 'Remember this', quote: 'text' }],
        mimetype: 'text/html',
        language: null,
      },
    ]),
    items: [
      {
        url: 'https://vimeo.com/22?a=b',
        title: 'Title',
        note: 'Remember this',
        tags: ['film', 'kurz film'],
        saved_at: '2023-11-14T22:13:20.000Z',
        is_private: true,
      },
    ],
  },
  {
    tool: 'Karakeep',
    format: 'karakeep',
    label: 'Karakeep',
    content: json({
      bookmarks: [
        {
          createdAt: 1700000000,
          title: 'Title',
          tags: ['film'],
          lists: ['b'],
          content: { type: 'link', url: 'https://vimeo.com/23' },
          note: 'Note',
          archived: false,
        },
        { createdAt: 1700000001, title: null, tags: [], content: { type: 'text', text: 'x' }, note: null },
        { createdAt: 1700000002, title: 'Broken', tags: [], content: null, note: null },
      ],
      lists: [
        { id: 'b', name: 'Inner', description: null, icon: '🚀', type: 'manual', query: null, parentId: 'a' },
        {
          id: 'a',
          name: 'Outer',
          description: null,
          icon: '🚀',
          type: 'manual',
          query: null,
          parentId: null,
        },
      ],
    }),
    items: [
      {
        url: 'https://vimeo.com/23',
        title: 'Title',
        note: 'Note',
        tags: ['film'],
        folders: ['Outer', 'Inner'],
        saved_at: '2023-11-14T22:13:20.000Z',
      },
    ],
    rejected: ["It isn't a link.", 'It has no link.'],
  },
  {
    tool: 'Linkwarden',
    format: 'linkwarden',
    label: 'Linkwarden',
    content: json({
      name: 'Alice',
      username: 'alice',
      email: 'alice@example.org',
      collections: [
        {
          id: 2,
          name: 'Inner',
          description: '',
          color: '#0ea5e9',
          parentId: 1,
          isPublic: true,
          ownerId: 1,
          createdAt: '2023-11-14T22:13:20.000Z',
          rssSubscriptions: [],
          links: [
            {
              id: 1,
              name: 'Title',
              type: 'url',
              description: 'Text',
              collectionId: 2,
              url: 'https://vimeo.com/24',
              textContent: null,
              importDate: null,
              createdAt: '2023-11-14T22:13:20.000Z',
              tags: [{ id: 1, name: 'film', ownerId: 1 }],
            },
            { id: 2, name: 'A file', type: 'pdf', description: '', url: null, tags: [] },
          ],
        },
        { id: 1, name: 'Outer', parentId: null, isPublic: false, ownerId: 1, links: [] },
      ],
      pinnedLinks: [],
      whitelistedUsers: [],
    }),
    items: [
      {
        url: 'https://vimeo.com/24',
        title: 'Title',
        description: 'Text',
        tags: ['film'],
        folders: ['Outer', 'Inner'],
        saved_at: '2023-11-14T22:13:20.000Z',
        is_private: false,
      },
    ],
    rejected: ['It has no link.'],
  },
  {
    tool: 'Omnivore',
    format: 'omnivore',
    label: 'Omnivore',
    content: json([
      {
        id: '0b6',
        slug: 'title-18a',
        title: 'Title',
        description: 'Text',
        author: 'Author',
        url: 'https://vimeo.com/25',
        state: 'Archived',
        readingProgress: 100,
        thumbnail: '',
        labels: ['film'],
        savedAt: '2023-11-14T22:13:20.000Z',
        updatedAt: '2023-11-15T22:13:20.000Z',
        publishedAt: null,
      },
    ]),
    items: [
      {
        url: 'https://vimeo.com/25',
        title: 'Title',
        description: 'Text',
        tags: ['film'],
        saved_at: '2023-11-14T22:13:20.000Z',
      },
    ],
  },
  ...['Activity', 'Likes and Favorites'].map((section) => ({
    tool: `TikTok (${section})`,
    format: 'tiktok',
    label: 'TikTok',
    content: json({
      Comment: { Comments: { CommentsList: [{ date: '2023-11-14 22:13:20', comment: 'hi' }] } },
      [section]: {
        'Favorite Videos': {
          FavoriteVideoList: [
            { Date: '2023-11-14 22:13:20', Link: 'https://www.tiktokv.com/share/video/1/' },
          ],
        },
        'Like List': {
          ItemFavoriteList: [{ date: '2023-11-14 22:13:21', link: 'https://www.tiktokv.com/share/video/2/' }],
        },
      },
      'Your Activity': {
        'Watch History': {
          VideoList: [{ Date: '2023-11-14 22:13:22', Link: 'https://www.tiktokv.com/share/video/3/' }],
        },
      },
    }),
    items: [
      {
        url: 'https://www.tiktokv.com/share/video/1/',
        folders: ['TikTok favorites'],
        saved_at: '2023-11-14T22:13:20.000Z',
      },
      {
        kind: 'liked' as const,
        url: 'https://www.tiktokv.com/share/video/2/',
        saved_at: '2023-11-14T22:13:21.000Z',
      },
      {
        kind: 'watched' as const,
        url: 'https://www.tiktokv.com/share/video/3/',
        saved_at: '2023-11-14T22:13:22.000Z',
      },
    ],
  })),
  {
    tool: 'Vimeo',
    format: 'vimeo',
    label: 'Vimeo',
    content: json({
      total: 1,
      page: 1,
      per_page: 25,
      paging: { next: null },
      data: [
        {
          uri: '/videos/26',
          name: 'Title',
          description: 'Text',
          link: 'https://vimeo.com/26',
          duration: 60,
          tags: [{ name: 'film', tag: 'film' }],
          privacy: { view: 'anybody' },
        },
      ],
    }),
    items: [{ url: 'https://vimeo.com/26', title: 'Title', description: 'Text', tags: ['film'] }],
  },
  {
    tool: 'Dailymotion',
    format: 'dailymotion',
    label: 'Dailymotion',
    content: json({
      page: 1,
      limit: 10,
      explicit: false,
      has_more: false,
      list: [{ id: 'x8abcde', title: 'Title', channel: 'shortfilms', owner: 'x1' }],
    }),
    items: [{ url: 'https://www.dailymotion.com/video/x8abcde', title: 'Title' }],
  },
  {
    tool: 'Invidious',
    format: 'invidious',
    label: 'Invidious',
    content: JSON.stringify({
      subscriptions: ['UCaaaaaaaaaaaaaaaaaaaaaa'],
      watch_history: ['aaaaaaaaaaa'],
      preferences: { locale: 'en-US' },
      playlists: [
        { title: 'Mix', description: '', privacy: 'Unlisted', videos: ['bbbbbbbbbbb', 'ccccccccccc'] },
      ],
    }),
    items: [
      { kind: 'subscription', url: 'https://www.youtube.com/channel/UCaaaaaaaaaaaaaaaaaaaaaa' },
      { kind: 'watched', url: watch('aaaaaaaaaaa') },
      { url: watch('bbbbbbbbbbb'), folders: ['Mix'], is_private: true, list_position: 0 },
      { url: watch('ccccccccccc'), folders: ['Mix'], is_private: true, list_position: 1 },
    ],
  },
  {
    tool: 'NewPipe (subscriptions)',
    format: 'newpipe-subscriptions',
    label: 'NewPipe subscriptions',
    content: JSON.stringify({
      app_version: '0.27.0',
      app_version_int: 997,
      subscriptions: [
        { service_id: 0, url: 'https://www.youtube.com/channel/UCaaaaaaaaaaaaaaaaaaaaaa', name: 'Channel' },
      ],
    }),
    items: [
      {
        kind: 'subscription',
        url: 'https://www.youtube.com/channel/UCaaaaaaaaaaaaaaaaaaaaaa',
        title: 'Channel',
      },
    ],
  },
  ...['lines', 'list'].map((form) => {
    const playlists = [
      {
        playlistName: 'Mix',
        protected: false,
        videos: [
          {
            videoId: 'aaaaaaaaaaa',
            title: 'Title',
            author: 'Author',
            lengthSeconds: 60,
            timeAdded: 1700000000000,
            type: 'video',
          },
        ],
        _id: 'ft-playlist--1',
      },
      { playlistName: 'Empty', videos: [], _id: 'ft-playlist--2' },
      {
        _id: 'x',
        videos: [{ videoId: 'bbbbbbbbbbb', title: 'Later', timeAdded: 1700000000000 }],
        playlistName: 'Watch Later',
      },
    ]
    return {
      tool: `FreeTube playlists (${form})`,
      format: 'freetube',
      label: 'FreeTube',
      content:
        form === 'list'
          ? JSON.stringify(playlists)
          : `${playlists.map((one) => JSON.stringify(one)).join('\n')}\n`,
      items: [
        {
          url: watch('aaaaaaaaaaa'),
          title: 'Title',
          folders: ['Mix'],
          saved_at: '2023-11-14T22:13:20.000Z',
          list_position: 0,
        },
        {
          kind: 'watch_later' as const,
          url: watch('bbbbbbbbbbb'),
          title: 'Later',
          saved_at: '2023-11-14T22:13:20.000Z',
          list_position: 0,
        },
      ],
    }
  }),
  {
    tool: 'FreeTube history',
    format: 'freetube',
    label: 'FreeTube',
    content: [
      { videoId: 'aaaaaaaaaaa', title: 'One', timeWatched: 1700000000000, watchProgress: 61.5, _id: 'a' },
      { videoId: 'bbbbbbbbbbb', title: 'Two', timeWatched: 1700000001000, watchProgress: 0, _id: 'b' },
    ]
      .map((one) => JSON.stringify(one))
      .join('\r\n'),
    items: [
      {
        kind: 'watched',
        url: watch('aaaaaaaaaaa'),
        title: 'One',
        saved_at: '2023-11-14T22:13:20.000Z',
        position_seconds: 61,
      },
      {
        kind: 'watched',
        url: watch('bbbbbbbbbbb'),
        title: 'Two',
        saved_at: '2023-11-14T22:13:21.000Z',
        position_seconds: 0,
      },
    ],
  },
  {
    tool: 'FreeTube profiles',
    format: 'freetube',
    label: 'FreeTube',
    content: ['All Channels', 'Music']
      .map((name) =>
        JSON.stringify({
          name,
          bgColor: '#000000',
          textColor: '#FFFFFF',
          subscriptions: [{ id: 'UCaaaaaaaaaaaaaaaaaaaaaa', name: 'Channel', thumbnail: null }],
          _id: name,
        }),
      )
      .join('\n'),
    items: [
      {
        kind: 'subscription',
        url: 'https://www.youtube.com/channel/UCaaaaaaaaaaaaaaaaaaaaaa',
        title: 'Channel',
      },
    ],
  },
]

const csvFiles: ToolFile[] = [
  {
    tool: 'Raindrop (CSV)',
    format: 'raindrop-csv',
    label: 'Raindrop',
    content: `id,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite
42,"Saved, ""quoted"" title","First line
Second line",Excerpt,https://vimeo.com/30,Research/Films,"Film, art, film",2023-11-14T22:13:20.000Z,,,true
43,,,,,Unsorted,,2023-11-14T22:13:20.000Z,,,false
`,
    items: [
      {
        url: 'https://vimeo.com/30',
        title: 'Saved, "quoted" title',
        description: 'Excerpt',
        note: 'First line\nSecond line',
        tags: ['film', 'art'],
        folders: ['Research', 'Films'],
        saved_at: '2023-11-14T22:13:20.000Z',
      },
    ],
    rejected: ['It has no link.'],
  },
  {
    tool: 'Pocket (CSV)',
    format: 'pocket-csv',
    label: 'Pocket',
    content: `title,url,time_added,tags,status
Title,https://vimeo.com/31,1700000000,film|art,unread
https://vimeo.com/32,https://vimeo.com/32,1700000001,,archive
`,
    items: [
      {
        url: 'https://vimeo.com/31',
        title: 'Title',
        tags: ['film', 'art'],
        saved_at: '2023-11-14T22:13:20.000Z',
      },
      { url: 'https://vimeo.com/32', saved_at: '2023-11-14T22:13:21.000Z' },
    ],
  },
  {
    tool: 'Instapaper',
    format: 'instapaper-csv',
    label: 'Instapaper',
    content: `URL,Title,Selection,Folder,Timestamp,Tags
https://vimeo.com/33,Title,A quote,Archive,1700000000,"[""film"",""art""]"
https://vimeo.com/34,Other,,Unread,1700000001,[]
`,
    items: [
      {
        url: 'https://vimeo.com/33',
        title: 'Title',
        note: 'A quote',
        tags: ['film', 'art'],
        folders: ['Archive'],
        saved_at: '2023-11-14T22:13:20.000Z',
      },
      {
        url: 'https://vimeo.com/34',
        title: 'Other',
        folders: ['Unread'],
        saved_at: '2023-11-14T22:13:21.000Z',
      },
    ],
  },
  {
    tool: 'Reddit',
    format: 'reddit-saved-csv',
    label: 'Reddit saved posts',
    content: `id,permalink
1abc,https://www.reddit.com/r/videos/comments/1abc/title/
`,
    items: [{ url: 'https://www.reddit.com/r/videos/comments/1abc/title/' }],
  },
  {
    tool: 'a spreadsheet',
    format: 'csv',
    label: 'Table',
    content: `Name;Link;Playlist;Private;Date added\r
"A; B";https://vimeo.com/35;Mix;yes;14.11.2023, 22:13:20\r
=HYPERLINK("x");https://vimeo.com/36;;no;\r
`,
    items: [
      {
        url: 'https://vimeo.com/35',
        title: 'A; B',
        folders: ['Mix'],
        saved_at: '2023-11-14T22:13:20.000Z',
        is_private: true,
      },
      { url: 'https://vimeo.com/36', title: '=HYPERLINK("x")', is_private: false },
    ],
  },
  {
    tool: 'a list of links',
    format: 'link-list',
    label: 'List of links',
    content: `
# My videos
https://vimeo.com/37
Watch this: https://vimeo.com/38, and (https://vimeo.com/39).

#EXTINF:-1,A title
https://vimeo.com/40
vimeo.com/41
not a link
file:///etc/passwd
`,
    items: [
      { url: 'https://vimeo.com/37' },
      { url: 'https://vimeo.com/38' },
      { url: 'https://vimeo.com/39' },
      { url: 'https://vimeo.com/40', title: 'A title' },
      { url: 'https://vimeo.com/41' },
    ],
    rejected: ["Its link isn't the address of a web page.", "Its link isn't the address of a web page."],
  },
]

export const toolFiles: readonly ToolFile[] = [...bookmarkPages, ...jsonFiles, ...csvFiles]

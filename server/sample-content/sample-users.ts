/** The users of the sample content with their collections, likes, follows and comments. */
import type { FilmName } from './sample-films.ts'

export interface SampleCollection {
  name: string
  description: string
  /** Default: public. */
  access?: 'public' | 'private'
  channels: Record<string, FilmName[]>
}

export interface SampleUser {
  username: string
  bio: string
  is_verified?: boolean
  collections: SampleCollection[]
  likes: FilmName[]
  follows: string[]
  comments: [FilmName, string][]
}

export const sampleUsers: SampleUser[] = [
  {
    username: 'mira',
    bio: 'Animator by day. I collect films whose files one can open and take apart.',
    is_verified: true,
    collections: [
      {
        name: 'Open movies',
        description: 'Films that come with everything they were made from.',
        channels: {
          'Blender Studio': ['bunny', 'steel', 'cosmos', 'spring', 'sprite', 'charge', 'wing', 'sintel'],
          'Under five minutes': ['dillama', 'llamigos', 'glass', 'agent', 'coffee', 'hero', 'dweebs'],
        },
      },
      {
        name: 'Masters in 4K',
        description: 'For stepping through frame by frame.',
        channels: { 'Wikimedia Commons': ['sintelCommons', 'steelCommons'] },
      },
    ],
    likes: ['spring', 'hero', 'sintel', 'caligari', 'moon', 'peertube'],
    follows: ['jonas', 'okello'],
    comments: [
      ['spring', 'The fog in the opening is all hand-placed cards. I still cannot believe it.'],
      ['caligari', 'Every set painted flat, and it has more depth than most of what I see.'],
    ],
  },
  {
    username: 'okello',
    bio: 'Amateur astronomer in Entebbe. If it orbits something, I have a bookmark of it.',
    collections: [
      {
        name: 'Space',
        description: 'Missions, landings and long looks at bright things.',
        channels: {
          Moon: ['moon', 'moonwalk'],
          Mars: ['perseverance', 'terror'],
          'Long looks': ['sun'],
        },
      },
      {
        name: 'For the school club',
        description: 'Short and without words.',
        channels: { Fun: ['wing', 'dillama'] },
      },
    ],
    likes: ['perseverance', 'moonwalk', 'sun', 'charge', 'horizons', 'bunny'],
    follows: ['mira', 'the_archivist'],
    comments: [
      ['perseverance', 'The dust at 2:20! Nobody had ever seen that happen.'],
      ['moonwalk', 'I leave this running every 20 July.'],
    ],
  },
  {
    username: 'the_archivist',
    bio: 'Ephemeral films: what was made to be shown once and thrown away.',
    is_verified: true,
    collections: [
      {
        name: 'Prelinger',
        description: 'Industrial, educational and advertising films, 1905 to 1960.',
        channels: {
          'At school': ['duck', 'dating'],
          'The future, then': ['dreaming', 'horizons', 'middleton'],
          'At work': ['hands', 'bananas'],
          Streets: ['market'],
        },
      },
      {
        name: 'Features',
        description: 'Whole films that belong to everyone.',
        channels: { Horror: ['zombies', 'caligari'], Comedy: ['friday'] },
      },
    ],
    likes: ['market', 'hands', 'duck', 'moonwalk', 'dream'],
    follows: ['jonas'],
    comments: [
      [
        'market',
        'Note how many of the cars come by twice: they circled the camera to make the street look busier.',
      ],
      ['friday', 'Somebody counted 240 words a minute.'],
    ],
  },
  {
    username: 'jonas',
    bio: 'Film night every Thursday, projector in the backyard. Suggestions welcome.',
    collections: [
      {
        name: 'Thursday nights',
        description: 'A short first, then a long one.',
        channels: { Shorts: ['dream', 'sintel', 'bunny', 'agent'], Features: ['zombies', 'friday'] },
      },
      {
        name: 'Maybe later',
        description: 'Not sure yet.',
        access: 'private',
        channels: { Unsorted: ['middleton', 'terror'] },
      },
    ],
    likes: ['sprite', 'zombies', 'bunny', 'sintel', 'friday', 'dillama'],
    follows: ['mira', 'okello', 'the_archivist'],
    comments: [
      ['sintel', 'Twenty people in the garden and not one dry eye. Do not show this last.'],
      ['zombies', 'With real fog it was almost too good.'],
    ],
  },
  {
    username: 'lena',
    bio: 'Free software, free culture, free llamas.',
    collections: [
      {
        name: 'Free culture',
        description: 'Who makes it, and with what.',
        channels: {
          'How it works': ['peertube'],
          Llamas: ['llamigos', 'dillama'],
          History: ['bunnyVimeo', 'dream'],
        },
      },
    ],
    likes: ['llamigos', 'dillama', 'peertube', 'bunny', 'cosmos'],
    follows: ['mira'],
    comments: [['llamigos', 'Oti deserves a film of her own.']],
  },
]

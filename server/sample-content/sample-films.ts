/** Openly licensed or public-domain films that a new site starts with. */

export interface SampleFilm {
  url: string
  title: string
  /** In seconds. */
  duration: number
  tags: string[]
  description: string
}

const film = (
  url: string,
  title: string,
  duration: number,
  tags: string,
  description: string,
): SampleFilm => ({
  url,
  title,
  duration,
  tags: tags.split(', '),
  description,
})

const youtube = (id: string) => `https://www.youtube.com/watch?v=${id}`
const archive = (id: string) => `https://archive.org/details/${id}`
const commons = (file: string) => `https://commons.wikimedia.org/wiki/File:${file}`

export const sampleFilms = {
  bunny: film(
    youtube('aqz-KE-bpKQ'),
    'Big Buck Bunny',
    635,
    'animation, blender, open movie, comedy, short film',
    'A large and gentle rabbit has had enough of three rodents who bully everyone in the forest. The second open movie of the Blender Foundation, and still the film that every video player is tried with. Creative Commons Attribution.',
  ),
  sintel: film(
    youtube('eRsGyueVLvQ'),
    'Sintel',
    888,
    'animation, blender, open movie, fantasy, dragons, short film',
    'A lonely young woman nurses a wounded baby dragon, loses it, and crosses half the world to find it again. Bring a handkerchief for the last two minutes.',
  ),
  steel: film(
    youtube('R6MlUcmOul8'),
    'Tears of Steel',
    734,
    'blender, open movie, science fiction, visual effects, short film',
    'Amsterdam, some decades from now: a group of scientists tries to undo an old heartbreak before its robots destroy the city. Live action with open-source visual effects.',
  ),
  dream: film(
    archive('ElephantsDream'),
    'Elephants Dream',
    654,
    'animation, blender, open movie, surreal, short film',
    'Proog leads Emo through a machine that may exist only in his head. The first open movie, 2006, with every scene file published.',
  ),
  cosmos: film(
    youtube('Y-rmzh0PI3c'),
    'Cosmos Laundromat: First Cycle',
    730,
    'animation, blender, open movie, comedy, surreal',
    'On a desolate island a suicidal sheep meets a salesman who offers him the gift of a lifetime. Franck has no idea what he is signing up for.',
  ),
  dillama: film(
    youtube('Z4C82eyhwgU'),
    'Caminandes 2: Gran Dillama',
    146,
    'animation, blender, open movie, comedy, llamas',
    'Koro the llama, some tasty berries, and an electric fence between them. Two and a half minutes, no words, no mercy.',
  ),
  llamigos: film(
    youtube('SkVqJ1SGeL0'),
    'Caminandes 3: Llamigos',
    150,
    'animation, blender, open movie, comedy, llamas',
    'It is winter in Patagonia and food is scarce. Koro meets Oti, a penguin who wants the same berry.',
  ),
  glass: film(
    youtube('lqiN98z6Dak'),
    'Glass Half',
    193,
    'animation, blender, open movie, comedy, art',
    'Two amateur critics meet in a gallery and argue about everything they see, until a piece of art unites them.',
  ),
  agent: film(
    youtube('mN0zPOpADL4'),
    'Agent 327: Operation Barbershop',
    231,
    'animation, blender, open movie, comedy, action',
    "Undercover in Boris Kloris's barbershop, with a hair dryer for a weapon. After the Dutch comics by Martin Lodewijk.",
  ),
  dweebs: film(
    youtube('RJnKaAtBPhA'),
    'The Daily Dweebs',
    60,
    'animation, blender, open movie, comedy, dogs',
    'A dog, a garden hose and a very long minute.',
  ),
  hero: film(
    youtube('pKmSdY56VtY'),
    'Hero',
    237,
    'animation, blender, open movie, hand drawn, short film',
    'Made with Grease Pencil, to show that hand-drawn animation and a 3D program go together.',
  ),
  spring: film(
    youtube('WhWc3b3KhnY'),
    'Spring',
    464,
    'animation, blender, open movie, fantasy, nature, short film',
    'A shepherd girl and her dog face ancient spirits so that the cycle of life can go on. Written and directed by Andy Goralczyk, who grew up in the mountains that it shows.',
  ),
  coffee: film(
    youtube('PVGeM40dABA'),
    'Coffee Run',
    185,
    'animation, blender, open movie, love, short film',
    'Fuelled by caffeine, a young woman runs through the bittersweet memories of her past relationship.',
  ),
  sprite: film(
    youtube('_cMxraX_5RE'),
    'Sprite Fright',
    630,
    'animation, blender, open movie, comedy, horror, short film',
    'A group of rowdy teenagers trek into an isolated forest and find that the peaceful mushroom creatures there have teeth. An eighties horror comedy with snails.',
  ),
  charge: film(
    youtube('UXqq0ZvbOnk'),
    'Charge',
    259,
    'animation, blender, open movie, science fiction, action',
    'In an energy-scarce dystopia an old, destitute man breaks into a battery factory, and is not alone there.',
  ),
  wing: film(
    youtube('u9lj-c29dxI'),
    'Wing It!',
    266,
    'animation, blender, open movie, comedy, cats, dogs',
    'A cat who plans and a dog who presses buttons take off in a home-made spaceship. Squash and stretch throughout.',
  ),
  bunnyVimeo: film(
    'https://vimeo.com/1084537',
    'Big Buck Bunny, the 2008 upload',
    597,
    'animation, blender, open movie, comedy',
    "The film as the Blender Foundation first put it online, at a time when 720p was 'high definition'.",
  ),
  sintelCommons: film(
    commons('Sintel_movie_4K.webm'),
    'Sintel in 4K',
    888,
    'animation, blender, open movie, fantasy, 4k',
    'The 4K master on Wikimedia Commons: the one to keep, and to translate the subtitles of.',
  ),
  steelCommons: film(
    commons('Tears_of_Steel_in_4k_-_Official_Blender_Foundation_release.webm'),
    'Tears of Steel in 4K (official release)',
    734,
    'blender, open movie, science fiction, visual effects, 4k',
    'The official 4K release, for stepping through the compositing frame by frame.',
  ),
  peertube: film(
    'https://framatube.org/w/9c9de5e8-0a1e-484a-b099-e80766180a6d',
    'What is PeerTube?',
    113,
    'free software, peertube, federation, animation',
    'Framasoft explains in two minutes how video sites can be many small ones that talk to each other. Music and animation are free as well.',
  ),
  moon: film(
    youtube('nr5Pj6GQL2o'),
    'Tour of the Moon in 4K',
    296,
    'nasa, space, moon, documentary, 4k',
    "Made from the Lunar Reconnaissance Orbiter's maps: Orientale basin, the South Pole, Tycho's central peak and the Apollo 17 landing site, as if one flew over them.",
  ),
  sun: film(
    youtube('6tmbeLTHC_0'),
    'Thermonuclear Art: The Sun in Ultra-HD',
    1800,
    'nasa, space, sun, ambient, 4k',
    'Half an hour of the Solar Dynamics Observatory looking at the Sun in ten wavelengths, each in a colour of its own. Best on the largest screen in the house.',
  ),
  perseverance: film(
    youtube('4czjS9h4Fpg'),
    "Perseverance Rover's Descent and Touchdown on Mars",
    205,
    'nasa, space, mars, documentary',
    'Seven cameras went along. The parachute opens, the heat shield falls away, the sky crane lowers the rover: the first time that a landing on another planet was filmed from so close.',
  ),
  terror: film(
    youtube('Ki_Af_o9Q9s'),
    'Seven Minutes of Terror',
    305,
    'nasa, space, mars, engineering',
    'Engineers of the Jet Propulsion Laboratory on how Curiosity had to land by itself, because Mars is fourteen light minutes away.',
  ),
  moonwalk: film(
    youtube('S9HdPi9Ikhk'),
    'Apollo 11 Moonwalk, restored',
    10_860,
    'nasa, space, moon, history, documentary',
    'Three hours, from the hatch opening to the hatch closing: everything that the television camera saw on 20 July 1969.',
  ),
  duck: film(
    archive('DuckandC1951'),
    'Duck and Cover',
    555,
    'prelinger, history, cold war, education, public domain',
    'Bert the Turtle teaches American schoolchildren what to do when the bomb falls. Shown in schools for more than a decade; in the National Film Registry since 2004.',
  ),
  dreaming: film(
    archive('DesignFo1956'),
    'Design for Dreaming',
    551,
    'prelinger, history, cars, advertising, public domain',
    'A woman dances her way through the 1956 Motorama and the Kitchen of the Future. Everything in it is pastel and motorised.',
  ),
  hands: film(
    archive('MasterHa1936'),
    'Master Hands',
    1980,
    'prelinger, history, industry, cars, public domain',
    'The making of a Chevrolet in Flint, 1936, filmed like an opera and scored like one: foundry, assembly line, the work of thousands of hands.',
  ),
  market: film(
    archive('TripDown1905'),
    'A Trip Down Market Street Before the Fire',
    720,
    'prelinger, history, san francisco, silent, public domain',
    'A camera on the front of a cable car, San Francisco, April 1906, days before the earthquake. Watch how people cross the street.',
  ),
  dating: film(
    archive('DatingDo1949'),
    "Dating: Do's and Don'ts",
    720,
    'prelinger, history, education, comedy, public domain',
    'Woody has one ticket and three choices. Coronet Films shows how to ask, what to say at the door, and when to go home.',
  ),
  horizons: film(
    archive('ToNewHor1940'),
    'To New Horizons',
    1380,
    'prelinger, history, cities, science fiction, public domain',
    "General Motors' Futurama at the New York World's Fair: the wonder world of 1960, as seen from 1940. Mostly motorways.",
  ),
  bananas: film(
    archive('AboutBan1935'),
    'About Bananas',
    660,
    'prelinger, history, food, public domain',
    'From clearing the jungle to the breakfast table, told by the company that did it.',
  ),
  middleton: film(
    archive('Middleto1939'),
    "The Middleton Family at the New York World's Fair",
    3300,
    'prelinger, history, robots, public domain',
    'A dishwashing contest, a robot who smokes, and an Indiana family that is won over by electricity.',
  ),
  zombies: film(
    archive('night_of_the_living_dead'),
    'Night of the Living Dead',
    5760,
    'feature film, horror, classic, black and white, public domain',
    'George A. Romero, 1968. A farmhouse, seven people, and what comes out of the dark. In the public domain because the copyright notice was forgotten when the title was changed.',
  ),
  friday: film(
    archive('his_girl_friday'),
    'His Girl Friday',
    5520,
    'feature film, comedy, classic, black and white, public domain',
    'Cary Grant and Rosalind Russell talk faster than anyone before or since. Howard Hawks, 1940.',
  ),
  caligari: film(
    archive('DasKabinettdesDoktorCaligariTheCabinetofDrCaligari'),
    'The Cabinet of Dr. Caligari',
    3060,
    'feature film, horror, classic, silent, public domain',
    'Painted shadows, crooked streets and a sleepwalker who foretells deaths. Where film horror, and half of its production design, begins (1920).',
  ),
} satisfies Record<string, SampleFilm>

export type FilmName = keyof typeof sampleFilms

import type { Category } from './store/notice.ts'

/** An account that exists from the first start. */
export interface SeedAccount {
  username: string
  password: string
  displayName: string
  email: string
  /** Bearer token for the JSON calls. */
  token: string
}

const PEOPLE: readonly (readonly [name: string, word: string])[] = [
  ['Amina Haddad', 'anchor'],
  ['Bruno Lefèvre', 'beacon'],
  ['Chloé Martin', 'capstan'],
  ['Dara O’Neill', 'dinghy'],
  ['Elias Nassar', 'estuary'],
  ['Freya Lindqvist', 'fender'],
  ['Gabriel Costa', 'gangway'],
  ['Huda Mansour', 'halyard'],
  ['Ivo Marin', 'inlet'],
  ['Jonas Weber', 'jetty'],
  ['Karima Belkacem', 'keel'],
  ['Louis Tremblay', 'lantern'],
]

/**
 * The twelve accounts harbour01 to harbour12. Names, passwords and tokens never change, so another program can hold
 * the same list; they protect nothing and are meant to be public.
 */
export const seedAccounts: readonly SeedAccount[] = PEOPLE.map(([displayName, word], index) => {
  const number = String(index + 1).padStart(2, '0')
  return {
    username: `harbour${number}`,
    password: `${word}-at-berth-${number}`,
    displayName,
    email: `harbour${number}@saltmere.example`,
    token: `saltmere-${number}-${word}`,
  }
})

/** A notice that stands on the board from the first start. */
export interface SeedNotice {
  title: string
  body: string
  category: Category
  author: string
  postedAt: string
  urgent?: boolean
}

/** The first notices, oldest first; they are written once, when the board is new. */
export const seedNotices: readonly SeedNotice[] = [
  {
    title: 'Winter berths: names by the end of November',
    body: 'Boats staying in the water from December to March lie in the inner basin.\nGive your name, length and draught at the office.',
    category: 'berths',
    author: 'Harbour office',
    postedAt: '2026-10-02T08:00:00.000Z',
  },
  {
    title: 'Found: a child’s yellow boot, north steps',
    body: 'Left foot, size 28, with a whale on it. It is drying on the office radiator.',
    category: 'lost-found',
    author: 'Harbour office',
    postedAt: '2026-10-04T15:20:00.000Z',
  },
  {
    title: 'Dinghy, 2.9 m, oars included',
    body: 'Glass fibre, one repair under the bow, dry inside. Two life jackets go with it.',
    category: 'for-sale',
    author: 'Dara O’Neill',
    postedAt: '2026-10-05T10:05:00.000Z',
  },
  {
    title: 'Cours de nœuds pour débutants',
    body: 'Six soirées le mardi, dans le hangar à voiles. Apportez deux mètres de cordage.',
    category: 'events',
    author: 'Chloé Martin',
    postedAt: '2026-10-06T17:30:00.000Z',
  },
  {
    title: 'مطلوب مساعد لصيانة القوارب',
    body: 'العمل صباحاً من الإثنين إلى الخميس. الخبرة في الطلاء مفيدة وليست شرطاً.',
    category: 'work',
    author: 'Huda Mansour',
    postedAt: '2026-10-08T07:45:00.000Z',
  },
  {
    title: 'Crane out of service on Thursday',
    body: 'The slipway crane is inspected from 09:00. Lifts move to Friday in the same order.',
    category: 'berths',
    author: 'Harbour office',
    postedAt: '2026-10-09T09:10:00.000Z',
    urgent: true,
  },
  {
    title: 'Lost: grey cat, answers to Plimsoll',
    body: 'Last seen on pontoon C on Sunday evening. He likes warm engines, please look before you start yours.',
    category: 'lost-found',
    author: 'Freya Lindqvist',
    postedAt: '2026-10-11T18:00:00.000Z',
  },
  {
    title: 'Outboard, 4 hp, serviced in spring',
    body: 'Short shaft, always flushed with fresh water. Can be heard running before you buy.',
    category: 'for-sale',
    author: 'Gabriel Costa',
    postedAt: '2026-10-12T12:40:00.000Z',
  },
  {
    title: 'Lantern evening on the quay',
    body: 'Bring a lantern and something warm to drink. Boats that light their rigging may lie along the quay free of charge that night.',
    category: 'events',
    author: 'Karima Belkacem',
    postedAt: '2026-10-14T16:15:00.000Z',
  },
  {
    title: 'Part-time hand for the fuel berth',
    body: 'Saturdays and Sundays, April to September. Training is given.',
    category: 'work',
    author: 'Harbour office',
    postedAt: '2026-10-15T08:30:00.000Z',
  },
  {
    title: 'Place au ponton B à échanger',
    body: 'J’ai un 9 m côté vent et je cherche un 8 m à l’abri, même ponton ou C.',
    category: 'berths',
    author: 'Louis Tremblay',
    postedAt: '2026-10-17T13:00:00.000Z',
  },
  {
    title: 'عُثر على مفاتيح قرب المنارة',
    body: 'ثلاثة مفاتيح مع عوّامة صغيرة حمراء. يمكن استلامها من مكتب الميناء.',
    category: 'lost-found',
    author: 'Elias Nassar',
    postedAt: '2026-10-18T11:25:00.000Z',
  },
  {
    title: 'Sail repairs by hand',
    body: 'Small tears within two days, new batten pockets within a week. The loft above the chandlery.',
    category: 'work',
    author: 'Jonas Weber',
    postedAt: '2026-10-20T09:50:00.000Z',
  },
  {
    title: 'Two folding bicycles',
    body: 'Stainless chains, fit in a locker of 80 by 60. One has a bell that works.',
    category: 'for-sale',
    author: 'Ivo Marin',
    postedAt: '2026-10-21T14:35:00.000Z',
  },
]

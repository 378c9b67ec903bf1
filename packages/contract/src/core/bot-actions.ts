/** What a bot check may be about: the labels that the browser's part of it is told. */
export const BOT_ACTIONS = [
  'createUser',
  'activeUser',
  'login',
  'changePassword',
  'transferToMainWallet',
  'sendToUser',
  'buyPackage',
  'lendingPackage',
  'treePosition',
  'currencyConvert',
] as const
export type BotAction = (typeof BOT_ACTIONS)[number]

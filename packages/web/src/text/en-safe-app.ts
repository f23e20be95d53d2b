/** Texts of the Safe App: shown inside a Safe interface, and signing in as a Safe. */
export const enSafeApp = {
  'wallet.safe.outside':
    'Countersign is not open inside a Safe interface. Add it there as a custom Safe App, or connect the wallet of an owner here.',
  'wallet.safe.off':
    'Whoever runs this server has named no Safe interface that may open Countersign. Connect the wallet of an owner instead.',
  'wallet.safe.cannotSwitch':
    'A Safe stays on its chain. Open Countersign from a Safe on a chain that is configured here.',
  'wallet.safe.openTab': 'Open in a new tab',
  'wallet.safe.noCookies': 'This browser keeps no session inside a frame',
  'wallet.safe.noCookies.sentence':
    'It blocks the cookies of framed pages, so signing in here cannot work. Open Countersign in a tab of its own and connect the wallet of an owner.',

  'wallet.verify.collecting': 'Waiting for the other owners',
  'wallet.verify.collecting.sentence':
    'The Safe has the message. As soon as enough owners have signed it in their Safe interface, this page signs you in. You may leave it and come back.',
  'wallet.verify.collecting.onChain':
    'The Safe signs this message by a transaction. As soon as enough owners have confirmed and somebody has executed it, this page signs you in.',
  'wallet.verify.collecting.left': 'Time left: {duration}',
  'wallet.verify.collecting.messageHash': 'Hash of the message in the Safe',
  'wallet.verify.collecting.safeTxHash': 'Hash of the transaction in the Safe',
  'wallet.verify.collecting.trouble': 'The last look did not get through. It is tried again by itself.',
  'wallet.verify.collecting.notYet':
    'The signatures so far are not enough for the Safe. It is looked at again by itself.',
  'wallet.verify.collecting.cancel': 'Stop waiting',

  'permission.IS_SAFE': 'You are here as a Safe. Open Countersign in a tab of its own with the wallet of an owner.',
} as const satisfies Record<string, string>

/** Texts of signatures that were made elsewhere. */
export const enImport = {
  'import.title': 'Import a signature',
  'import.what':
    'For an owner who signed elsewhere: a contract, or a machine without a network. It is checked in this browser before it is sent, and again by the server.',
  'import.field': 'Signature as hex',
  'import.field.hint': 'One signature, or several behind one another. Of any kind that a Safe accepts.',
  'import.notHex': 'This is no hex: 0x and an even number of hex digits.',
  'import.checking': 'Checking whose it is',
  'import.found': 'What these signatures are',
  'import.submit': 'Import',
  'import.done': 'Saved as a confirmation.',
  'import.refused': 'It cannot be imported',
  'import.kind.EOA': 'By its key, on this hash.',
  'import.kind.ETH_SIGN': 'By its key, on this hash signed as a message (eth_sign).',
  'import.kind.CONTRACT_SIGNATURE': 'By a contract, which was asked and accepts it for this hash.',
  'import.kind.APPROVED_HASH': 'By an approval of this hash, read from the chain.',
  'import.problem.kind-not-known': 'Signatures of the kind {kind} do not count here.',
  'import.problem.not-owner':
    'On this hash it is of an account that is no owner of this Safe. It was made by somebody else, or for something else:',
  'import.problem.other-hash': 'It is of an owner, but on another hash than this one:',
  'import.problem.other-hash.which': 'The hash that was signed:',
  'import.problem.twice': 'There are two signatures of one owner:',
  'import.problem.confirmed': 'This owner’s confirmation is here already:',
  'import.problem.not-accepted': 'The contract was asked and does not accept it for this hash:',
  'import.problem.not-approved': 'The Safe was asked; this owner has not approved this hash on the chain:',
  'import.problem.not-asked': 'The chain could not be asked about it. Nothing is known of it; try again. Owner:',
} as const

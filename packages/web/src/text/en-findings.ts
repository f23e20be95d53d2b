/** Findings about the hash, the signatures, the Safe, the fields and the texts: by the ids of safe-core, each with what it
 * means and what to do. */
export const enFindings = {
  'finding.INPUT-MISSING': 'Something was not there to be checked',
  'finding.INPUT-MISSING.meaning': 'A check needs it and could not be made. That says nothing good: nobody looked.',
  'finding.INPUT-MISSING.action': 'Find out why it is missing, or check it yourself by another way.',

  'finding.HASH-MISMATCH': 'The hash is not the hash of this transaction',
  'finding.HASH-MISMATCH.meaning':
    'The hash in the link and the ten fields do not belong together. Whoever signs this hash signs something else than what is shown.',
  'finding.HASH-MISMATCH.action': 'Do not sign. Ask the proposer for the transaction again and tell your co-owners.',

  'finding.HASH-CHAIN-MISMATCH': 'The Safe itself computes another hash',
  'finding.HASH-CHAIN-MISMATCH.meaning':
    'This page and the Safe on the chain disagree about the hash of these ten fields.',
  'finding.HASH-CHAIN-MISMATCH.action':
    'Do not sign. Check that the node is on the right chain and that the version of the Safe is known.',

  'finding.HASH-IMPL-MISMATCH': 'Two computations of the hash disagree',
  'finding.HASH-IMPL-MISMATCH.meaning':
    'This page computes the hash in two independent ways, and they differ. Something is wrong with this page itself.',
  'finding.HASH-IMPL-MISMATCH.action': 'Do not sign here. Compute the hash with another program.',

  'finding.PROPOSAL-EDITED': 'The transaction changed while you were reviewing it',
  'finding.PROPOSAL-EDITED.meaning': 'The same link now leads to other fields than when you opened this page.',
  'finding.PROPOSAL-EDITED.action': 'Do not sign. Tell your co-owners, and whoever runs this server.',

  'finding.OP-INVALID': 'The operation is neither a call nor a delegatecall',
  'finding.OP-INVALID.meaning':
    'Only 0 and 1 exist. The Safe would refuse this, or read it in a way nobody can foresee.',
  'finding.OP-INVALID.action': 'Do not sign. Ask the proposer for a correct transaction.',

  'finding.RPC-CHAINID': 'The node is on another chain',
  'finding.RPC-CHAINID.meaning': 'Everything read from this node is about another chain than the one of this Safe.',
  'finding.RPC-CHAINID.action': 'Do not sign. Whoever runs this server must correct the address of the node.',

  'finding.SIG-MISMATCH': 'A collected signature does not fit this transaction',
  'finding.SIG-MISMATCH.meaning':
    'It does not belong to the owner it is listed under, for this hash. With Bybit and WazirX this was visible before the last signature.',
  'finding.SIG-MISMATCH.action': 'Do not sign. Ask that owner, on another channel, what they have signed.',

  'finding.SIG-OTHER-TX': 'A collected signature belongs to another transaction',
  'finding.SIG-OTHER-TX.meaning':
    'It is listed here, but an owner gave it for the transaction named below. Somebody may be showing one thing and collecting signatures for another.',
  'finding.SIG-OTHER-TX.action': 'Do not sign. Look at the other transaction, and call the owner who signed it.',

  'finding.SIG-RETURNED-MISMATCH': 'Your wallet signed something else',
  'finding.SIG-RETURNED-MISMATCH.meaning':
    'The signature that came back is not yours on the hash that this page showed. Nothing was sent.',
  'finding.SIG-RETURNED-MISMATCH.action':
    'Stop. Sign nothing more with this wallet until you know why, and warn your co-owners.',

  'finding.SIG-REPEATED': 'An owner signed more than once for this nonce',
  'finding.SIG-REPEATED.meaning':
    'Two different signatures of one owner compete for the same nonce. That is normal when one of them cancels the other; it is also how a second signature is tricked out of somebody after a failure.',
  'finding.SIG-REPEATED.action': 'Ask the owner whether they know of both.',

  'finding.SIG-ETHSIGN': 'An owner signed the bare hash',
  'finding.SIG-ETHSIGN.meaning': 'Their device could show only a number, not what it stands for.',
  'finding.SIG-ETHSIGN.action': 'Ask that owner whether they compared the hash with an independent source.',

  'finding.SIG-CONTRACT-UNVERIFIED': 'The signature of a contract was not checked',
  'finding.SIG-CONTRACT-UNVERIFIED.meaning':
    'An owner that is a contract is named as having signed. Only the contract itself can tell whether that is so, and it was not asked.',
  'finding.SIG-CONTRACT-UNVERIFIED.action': 'Do not count this confirmation.',

  'finding.SIG-APPROVED-UNVERIFIED': 'An approval on the chain was not confirmed',
  'finding.SIG-APPROVED-UNVERIFIED.meaning':
    'An owner is marked as having approved the hash on the chain. That was not found there.',
  'finding.SIG-APPROVED-UNVERIFIED.action': 'Do not count this confirmation.',

  'finding.SIG-STALE-OWNER': 'Somebody who signed is no longer an owner',
  'finding.SIG-STALE-OWNER.meaning':
    'The signature fits, but its owner has left since. It does not count towards the threshold.',
  'finding.SIG-STALE-OWNER.action': 'Count the confirmations without it.',

  'finding.SINGLETON-UNKNOWN': 'The code of this Safe is not an official release',
  'finding.SINGLETON-UNKNOWN.meaning': 'What its owners and its threshold mean is for that code to decide.',
  'finding.SINGLETON-UNKNOWN.action': 'Do not use it before somebody whom you trust has read that code.',

  'finding.SINGLETON-CODEHASH': 'A known contract has other code than it should have',
  'finding.SINGLETON-CODEHASH.meaning':
    'The singleton has the address of an official release, but not its code. Or the node lies.',
  'finding.SINGLETON-CODEHASH.action': 'Do not sign. Ask a second node for the same code.',

  'finding.VERSION-LIES': 'The Safe reports another version than its code is',
  'finding.VERSION-LIES.meaning': 'Its code is one release and says it is another.',
  'finding.VERSION-LIES.action': 'Do not sign. Find out who changed the code of this Safe.',

  'finding.VERSION-OLD': 'This version of Safe is old',
  'finding.VERSION-OLD.meaning':
    'Signatures of versions before 1.3.0 are not bound to one chain, and these versions have no guards.',
  'finding.VERSION-OLD.action': 'Plan to move to a newer version.',

  'finding.PROXY-UNKNOWN': 'The Safe is not an official proxy',
  'finding.PROXY-UNKNOWN.meaning':
    'Its own code is none that an official factory creates. It may do anything before it asks its singleton, whatever the rest of this review says.',
  'finding.PROXY-UNKNOWN.action': 'Do not use it before somebody whom you trust has read that code.',

  'finding.REPLAY-CHAIN': 'The same signature also holds on another chain',
  'finding.REPLAY-CHAIN.meaning':
    'There is a contract at this address on the chains named below. This version does not sign the chain, so that what you sign here can be executed there.',
  'finding.REPLAY-CHAIN.action': 'Check who controls the address on those chains before you sign.',

  'finding.DOMAIN-SLOT': 'The domain separator of this Safe was altered',
  'finding.DOMAIN-SLOT.meaning':
    'Versions before 1.3.0 keep it in storage, and it is not what it must be. Some delegatecall has written to it.',
  'finding.DOMAIN-SLOT.action':
    'Do not sign. Move what the Safe holds under the guidance of somebody who knows its storage.',

  'finding.NONCE-CONFLICT': 'Another proposal has the same nonce',
  'finding.NONCE-CONFLICT.meaning': 'Owners have signed both. Only one of them can ever be executed.',
  'finding.NONCE-CONFLICT.action': 'Compare the two, and agree with your co-owners which one is meant.',

  'finding.NONCE-PAST': 'The nonce is used up',
  'finding.NONCE-PAST.meaning':
    'The Safe has already executed another transaction with it. This one can never be executed.',
  'finding.NONCE-PAST.action': 'Propose it again with a free nonce.',

  'finding.NONCE-GAP': 'Earlier transactions come first',
  'finding.NONCE-GAP.meaning': 'By the time it can be executed, the Safe may look different from now.',
  'finding.NONCE-GAP.action': 'Review it again before it is executed.',

  'finding.GAS-REFUND': 'Whoever executes is paid out of the Safe',
  'finding.GAS-REFUND.meaning': 'The refund fields set a price. In tokens there is no upper limit but these fields.',
  'finding.GAS-REFUND.action':
    'Check receiver, token and maximum. Without a reason for a refund, ask for a proposal with a gas price of 0.',

  'finding.GAS-RECEIVER-SET': 'Refund fields are set without a price',
  'finding.GAS-RECEIVER-SET.meaning': 'They have no effect as they stand. Usual proposals leave them at zero.',
  'finding.GAS-RECEIVER-SET.action': 'Ask the proposer why they are set.',

  'finding.GAS-BASEGAS-HIGH': 'The fixed part of the refund is unusually high',
  'finding.GAS-BASEGAS-HIGH.meaning': 'It is paid whatever the execution costs.',
  'finding.GAS-BASEGAS-HIGH.action': 'Ask for a proposal with a lower baseGas.',

  'finding.SAFETXGAS-SET': 'A failing call would still use up the nonce',
  'finding.SAFETXGAS-SET.meaning': 'With a limit for the inner call, the Safe does not revert when it fails.',
  'finding.SAFETXGAS-SET.action': 'Nothing, if that is intended. Else ask for a safeTxGas of 0.',

  'finding.TEXT-CONTROL': 'A text holds hidden characters',
  'finding.TEXT-CONTROL.meaning':
    'They cannot be seen, or reorder what is seen, or the text is too long to be read. They are written out as [U+…].',
  'finding.TEXT-CONTROL.action': 'Do not rely on the text. Go by addresses and amounts.',

  'finding.ORIGIN-CLAIM': 'The proposer says something about it',
  'finding.ORIGIN-CLAIM.meaning': 'Nobody has checked what is written there.',
  'finding.ORIGIN-CLAIM.action': 'Compare it with what the transaction does.',

  'finding.MSG-PERMANENT': 'Signs a message on the chain',
  'finding.MSG-PERMANENT.meaning': 'It stays valid for as long as the Safe exists. It cannot be revoked.',
  'finding.MSG-PERMANENT.action': 'Sign it only if you would sign it for ever.',

  'finding.MSG-IS-TX': 'The message is a transaction of a Safe',
  'finding.MSG-IS-TX.meaning':
    'What is signed as a message is what owners sign for a transaction. It would count as its approval.',
  'finding.MSG-IS-TX.action': 'Do not sign. Ask for the transaction itself.',

  'finding.MSG-HEX-AMBIGUOUS': 'The text looks like bytes',
  'finding.MSG-HEX-AMBIGUOUS.meaning':
    'It is signed as the characters that you see, not as the bytes that they write. Each gives another signature.',
  'finding.MSG-HEX-AMBIGUOUS.action': 'Make sure that the site expects the text.',

  'finding.PERMIT-SIGN': 'This signature alone lets somebody take assets',
  'finding.PERMIT-SIGN.meaning':
    'No transaction is needed after it, and no further confirmation: whoever has the signature can use it.',
  'finding.PERMIT-SIGN.action': 'Sign only if you know who gets what, how much, and until when.',

  'finding.SIWE-PARSE': 'A sign-in that is not written as it must be',
  'finding.SIWE-PARSE.meaning': 'It speaks of signing in, but does not keep to EIP-4361. It could be read in two ways.',
  'finding.SIWE-PARSE.action': 'Do not sign. Start again at the site itself.',

  'finding.SIWE-DOMAIN': 'The sign-in is for another site',
  'finding.SIWE-DOMAIN.meaning':
    'Domain, address and the page that asks for it do not belong together. With this signature somebody else could sign in as your Safe.',
  'finding.SIWE-DOMAIN.action': 'Do not sign. Check the address of the site that you meant to visit.',

  'finding.SIWE-ADDRESS': 'The sign-in is for another account or chain',
  'finding.SIWE-ADDRESS.meaning': 'It does not name this Safe on this chain.',
  'finding.SIWE-ADDRESS.action': 'Do not sign. Start again at the site itself.',

  'finding.SIWE-TIME': 'The sign-in is not in force',
  'finding.SIWE-TIME.meaning': 'It has expired, or does not hold yet.',
  'finding.SIWE-TIME.action': 'Start again at the site itself.',

  'finding.MSG-RAW-HASH': 'The message is a bare hash',
  'finding.MSG-RAW-HASH.meaning': 'Nobody can see what 32 bytes stand for.',
  'finding.MSG-RAW-HASH.action': 'Ask for the message that the hash was made of, and have the hash computed from it.',
} as const

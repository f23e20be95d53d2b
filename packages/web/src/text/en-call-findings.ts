/** Findings about what the calls do: by the ids of safe-core, each with what it means and what to do. */
export const enCallFindings = {
  'finding.DC-UNKNOWN': 'Runs foreign code as your Safe',
  'finding.DC-UNKNOWN.meaning':
    'That code can change anything, including who owns the Safe and where its money goes. What the call data seems to say binds it to nothing. If your team has allowed exactly this code and function, it counts as less than critical.',
  'finding.DC-UNKNOWN.action': 'Do not sign unless your team knows this code and has allowed it.',

  'finding.DC-WRONG-SELECTOR': 'Runs a known library through a function it is not meant for',
  'finding.DC-WRONG-SELECTOR.meaning':
    'The code is official, but this function is not one that a Safe is supposed to run as itself.',
  'finding.DC-WRONG-SELECTOR.action': 'Do not sign. Ask the proposer which tool made this transaction.',

  'finding.DC-NO-CODE': 'Runs code where there is none',
  'finding.DC-NO-CODE.meaning': 'It would look like a success and do nothing.',
  'finding.DC-NO-CODE.action': 'Do not sign. The address may be of another chain.',

  'finding.DC-KNOWN-LIB': 'Runs a standard Safe library',
  'finding.DC-KNOWN-LIB.meaning': 'Its address, its code and the function are all known.',
  'finding.DC-KNOWN-LIB.action': 'Nothing: go by what the entries do.',

  'finding.DC-VALUE-IGNORED': 'The amount has no effect',
  'finding.DC-VALUE-IGNORED.meaning': 'Code is run instead of called, and no value moves with it.',
  'finding.DC-VALUE-IGNORED.action': 'Ask the proposer what the amount was meant for.',

  'finding.DC-MULTISEND-FULL': 'The batch library allows foreign code',
  'finding.DC-MULTISEND-FULL.meaning': 'MultiSend can run entries as your Safe; MultiSendCallOnly cannot.',
  'finding.DC-MULTISEND-FULL.action': 'Check that no entry is a delegatecall, or ask for MultiSendCallOnly.',

  'finding.CODE-CREATE': 'Creates a contract',
  'finding.CODE-CREATE.meaning': 'Its code is in the call data, and nobody has read it here.',
  'finding.CODE-CREATE.action': 'Sign only if you know what is created.',

  'finding.MULTISEND-INNER-DC': 'An entry of the batch runs foreign code as your Safe',
  'finding.MULTISEND-INNER-DC.meaning': 'That code can change anything, including who owns the Safe.',
  'finding.MULTISEND-INNER-DC.action': 'Do not sign.',

  'finding.SELECTOR-MASQUERADE': 'Looks like a token transfer, but is not one',
  'finding.SELECTOR-MASQUERADE.meaning':
    'The call data is that of a token, and there is no token that would follow it: code is run instead of called, there is no code, or the contract does not answer as a token. Bybit’s owners were shown such a transfer.',
  'finding.SELECTOR-MASQUERADE.action': 'Do not go by the transfer that is shown. Ask the proposer what it is.',

  'finding.DECODE-NONE': 'The call data cannot be read',
  'finding.DECODE-NONE.meaning':
    'The function is not one of those that are known here. Nobody here knows what it does.',
  'finding.DECODE-NONE.action':
    'Do not sign before somebody whom you trust has read that contract. If you have its ABI from a source of your own, give it in the address book.',

  'finding.DECODE-NONCANONICAL': 'The call data is written in an unusual way',
  'finding.DECODE-NONCANONICAL.meaning':
    'It does not encode to the same bytes again: it can hold more than what is shown.',
  'finding.DECODE-NONCANONICAL.action': 'Ask for a proposal with the usual encoding.',

  'finding.DECODE-BUDGET': 'Too large or too deep to be reviewed in full',
  'finding.DECODE-BUDGET.meaning': 'Part of it was not looked at. Anything can stand there.',
  'finding.DECODE-BUDGET.action': 'Do not sign. Ask for several smaller transactions.',

  'finding.MULTISEND-MALFORMED': 'The batch cannot be read exactly',
  'finding.MULTISEND-MALFORMED.meaning':
    'Lengths, operations or the encoding are not right. The contract may run something else than any reader shows.',
  'finding.MULTISEND-MALFORMED.action': 'Do not sign. Ask for a correct batch.',

  'finding.MULTISEND-ZERO-TO': 'An entry of the batch goes to the zero address',
  'finding.MULTISEND-ZERO-TO.meaning':
    'MultiSend 1.5.0 takes that for the Safe itself; every earlier one sends to an address that nobody owns, and what is sent is lost. Which of the two it is here is written below.',
  'finding.MULTISEND-ZERO-TO.action': 'Sign only if whoever is meant is who the proposer meant.',

  'finding.BATCH-REVERT': 'The batch library would refuse this',
  'finding.BATCH-REVERT.meaning':
    'It takes calls alone, and an entry is a delegatecall. Executed, the whole batch would fail.',
  'finding.BATCH-REVERT.action': 'Ask for a correct batch.',

  'finding.DECODE-GIVEN': 'An ABI that you gave reads this call',
  'finding.DECODE-GIVEN.meaning':
    'Countersign does not know the function. The bytes fit the ABI. Nothing shows that the contract has this function.',
  'finding.DECODE-GIVEN.action': 'Compare the ABI with a source of your own.',

  'finding.SELECTOR-AMBIGUOUS': 'More than one function fits this call',
  'finding.SELECTOR-AMBIGUOUS.meaning':
    'The name that is shown is a guess: the last figure may be an amount or the number of an item.',
  'finding.SELECTOR-AMBIGUOUS.action': 'Look at the contract before you rely on the name.',

  'finding.SLOT0-CHANGE': 'The code of your Safe is replaced',
  'finding.SLOT0-CHANGE.meaning': 'Everything that the Safe does, from then on another contract decides.',
  'finding.SLOT0-CHANGE.action':
    'Sign only if you plan this upgrade, and compare version and address with the official release.',

  'finding.OWNER-ADD': 'Adds an owner',
  'finding.OWNER-ADD.meaning': 'The new owner can confirm, and counts towards the threshold.',
  'finding.OWNER-ADD.action': 'Confirm the address with its owner on another channel.',

  'finding.OWNER-REMOVE': 'Removes an owner',
  'finding.OWNER-REMOVE.meaning': 'The confirmations of this owner no longer count.',
  'finding.OWNER-REMOVE.action': 'Check that this is intended, and that the threshold still fits.',

  'finding.OWNER-SWAP': 'Replaces an owner',
  'finding.OWNER-SWAP.meaning': 'One owner loses the right to confirm, another gains it.',
  'finding.OWNER-SWAP.action': 'Confirm the new address with its owner on another channel.',

  'finding.OWNER-SELF-REMOVED': 'You will no longer be an owner',
  'finding.OWNER-SELF-REMOVED.meaning': 'After this transaction your account cannot confirm any more.',
  'finding.OWNER-SELF-REMOVED.action': 'Sign only if you want to leave.',

  'finding.OWNER-QUORUM-UNKNOWN': 'New owners could act alone',
  'finding.OWNER-QUORUM-UNKNOWN.meaning': 'There would be as many new owners as confirmations are needed.',
  'finding.OWNER-QUORUM-UNKNOWN.action': 'Do not sign unless you know every one of them.',

  'finding.THRESHOLD-DOWN': 'Fewer confirmations will be needed',
  'finding.THRESHOLD-DOWN.meaning': 'The Safe gets easier to empty: for you, and for whoever steals keys.',
  'finding.THRESHOLD-DOWN.action': 'Do not sign unless all owners agree to it.',

  'finding.THRESHOLD-ONE': 'One key alone will control the Safe',
  'finding.THRESHOLD-ONE.meaning': 'Any single owner could then move everything.',
  'finding.THRESHOLD-ONE.action': 'Ask for a threshold of at least 2.',

  'finding.THRESHOLD-LOCK': 'Every owner will be needed',
  'finding.THRESHOLD-LOCK.meaning': 'Losing one key locks the Safe for good.',
  'finding.THRESHOLD-LOCK.action': 'Ask for one owner more than confirmations are needed.',

  'finding.SETTINGS-REVERT': 'The Safe would refuse this change',
  'finding.SETTINGS-REVERT.meaning':
    'Its contract does not allow it as the Safe stands now. Executed, it would fail; in a batch, all of it.',
  'finding.SETTINGS-REVERT.action': 'Ask for a correct proposal, made for the owners and modules of today.',

  'finding.MODULE-ENABLE': 'Enables a module',
  'finding.MODULE-ENABLE.meaning': 'A module can move everything in the Safe without any confirmation.',
  'finding.MODULE-ENABLE.action': 'Do not sign unless you know this module and its code.',

  'finding.MODULE-DISABLE': 'Disables a module',
  'finding.MODULE-DISABLE.meaning': 'What the module did for the Safe stops.',
  'finding.MODULE-DISABLE.action': 'Check that nothing relies on it.',

  'finding.GUARD-SET': 'Sets a guard',
  'finding.GUARD-SET.meaning':
    'A guard sees every transaction and can block all of them, for good. One without code, or that is no guard by its own word, blocks the Safe at once.',
  'finding.GUARD-SET.action': 'Sign only if you know this guard and its code.',

  'finding.GUARD-REMOVE': 'Removes the guard',
  'finding.GUARD-REMOVE.meaning': 'The rules that it enforced no longer hold.',
  'finding.GUARD-REMOVE.action': 'Check that this is intended.',

  'finding.MODGUARD-CHANGE': 'Changes the guard of the modules',
  'finding.MODGUARD-CHANGE.meaning': 'It decides what modules may do.',
  'finding.MODGUARD-CHANGE.action': 'Check that this is intended.',

  'finding.HANDLER-UNKNOWN': 'Sets an unknown fallback handler',
  'finding.HANDLER-UNKNOWN.meaning': 'It can answer calls and declare signatures valid in the name of your Safe.',
  'finding.HANDLER-UNKNOWN.action': 'Do not sign unless you know this contract and its code.',

  'finding.HANDLER-CHANGE': 'Sets an official fallback handler',
  'finding.HANDLER-CHANGE.meaning': 'Address and code are those of a release.',
  'finding.HANDLER-CHANGE.action': 'Nothing, if the version fits your Safe.',

  'finding.HANDLER-ZERO': 'Removes the fallback handler',
  'finding.HANDLER-ZERO.meaning': 'Receiving some tokens and signing messages stop working.',
  'finding.HANDLER-ZERO.action': 'Check that nothing relies on it.',

  'finding.DOMAIN-VERIFIER': 'Lets another contract sign for your Safe',
  'finding.DOMAIN-VERIFIER.meaning':
    'For a domain or a function of its choice it decides in the name of the Safe which signatures are valid.',
  'finding.DOMAIN-VERIFIER.action': 'Do not sign unless you know this contract and its code.',

  'finding.APPROVE-UNLIMITED': 'An allowance without limit',
  'finding.APPROVE-UNLIMITED.meaning': 'The spender may take all of this token, now and whatever comes later.',
  'finding.APPROVE-UNLIMITED.action': 'Ask for the amount that is needed.',

  'finding.APPROVE-OVER-BALANCE': 'An allowance above what the Safe holds',
  'finding.APPROVE-OVER-BALANCE.meaning': 'The spender may also take what comes in later.',
  'finding.APPROVE-OVER-BALANCE.action': 'Ask for the amount that is needed.',

  'finding.APPROVE-EOA': 'The allowance goes to a private key',
  'finding.APPROVE-EOA.meaning': 'There is no contract at this address that would bind the spender to rules.',
  'finding.APPROVE-EOA.action': 'Do not sign unless you know whose key it is.',

  'finding.APPROVE-ALL-NFT': 'The operator may take every item of the collection',
  'finding.APPROVE-ALL-NFT.meaning': 'Those that the Safe has now, and those that it gets later.',
  'finding.APPROVE-ALL-NFT.action': 'Sign only if you trust the operator with all of them.',

  'finding.SPENDING-RIGHT': 'Somebody gets the right to spend',
  'finding.SPENDING-RIGHT.meaning':
    'Not by an ordinary allowance, but to the same end: they may take assets of the Safe without further confirmations.',
  'finding.SPENDING-RIGHT.action': 'Sign only if you know who gets it, how much, and for how long.',

  'finding.TOKEN-MOVE': 'Moves tokens through another contract',
  'finding.TOKEN-MOVE.meaning': 'What moves, and from whom, is in the arguments; the amounts are not added up here.',
  'finding.TOKEN-MOVE.action': 'Read the arguments of the call.',

  'finding.RECEIVER-OTHER': 'Somebody else receives it',
  'finding.RECEIVER-OTHER.meaning': 'Shares or assets of this vault do not come to the Safe, but to another receiver.',
  'finding.RECEIVER-OTHER.action': 'Check the receiver.',

  'finding.TOKEN-TO-ITSELF': 'The tokens would be lost',
  'finding.TOKEN-TO-ITSELF.meaning': 'They go to the contract of the token itself, or to the zero address.',
  'finding.TOKEN-TO-ITSELF.action': 'Ask for a correct recipient.',

  'finding.TOKEN-UNLISTED': 'The token is not on the list',
  'finding.TOKEN-UNLISTED.meaning': 'It is not among the tokens that are configured here. Its name proves nothing.',
  'finding.TOKEN-UNLISTED.action': 'Compare its address with that of the token you mean.',

  'finding.TOKEN-HOMOGLYPH': 'The token imitates a listed one',
  'finding.TOKEN-HOMOGLYPH.meaning': 'Its name looks like that of a token on the list, but it is another contract.',
  'finding.TOKEN-HOMOGLYPH.action': 'Do not sign before you have compared the addresses.',

  'finding.BALANCE-EXCEEDED': 'Sends more than the Safe holds',
  'finding.BALANCE-EXCEEDED.meaning':
    'Executed as things stand now, it would fail. It would only work after the missing amount has come in.',
  'finding.BALANCE-EXCEEDED.action': 'Check the amount, and the decimals of the token.',

  'finding.VALUE-DRAIN': 'Nearly all of an asset leaves the Safe',
  'finding.VALUE-DRAIN.meaning': 'At least 95 percent of what the Safe holds of it goes out.',
  'finding.VALUE-DRAIN.action': 'Check that the Safe is meant to be emptied.',

  'finding.OWNERSHIP-TRANSFER': 'Gives control of a contract to somebody else',
  'finding.OWNERSHIP-TRANSFER.meaning':
    'Who controls it can change its rules and take what it keeps. Radiant lost its pools this way, without any delegatecall.',
  'finding.OWNERSHIP-TRANSFER.action': 'Do not sign unless you know the new owner and expect this change.',

  'finding.PROXY-UPGRADE': 'Replaces the code of a contract',
  'finding.PROXY-UPGRADE.meaning': 'Whatever the contract does and keeps, the new code decides about.',
  'finding.PROXY-UPGRADE.action': 'Do not sign unless you expect this upgrade and know the new code.',

  'finding.ROLE-CHANGE': 'Changes who holds a role on a contract',
  'finding.ROLE-CHANGE.meaning': 'A role can carry any right, up to control of everything.',
  'finding.ROLE-CHANGE.action': 'Find out what the role allows, and who the account is.',

  'finding.RECOVERY-CHANGE': 'Changes who can recover the Safe',
  'finding.RECOVERY-CHANGE.meaning': 'Guardians can replace the owners.',
  'finding.RECOVERY-CHANGE.action': 'Sign only if you know every guardian, and how many of them it takes.',

  'finding.DEPLOY-SETUP-DELEGATE': 'Creates a Safe that runs unknown code at once',
  'finding.DEPLOY-SETUP-DELEGATE.meaning':
    'Its singleton or the code of its setup is not an official release. Such a Safe can belong to somebody else from the start.',
  'finding.DEPLOY-SETUP-DELEGATE.action': 'Do not sign. Create the Safe with official contracts.',

  'finding.RENOUNCE': 'Gives up control of a contract for good',
  'finding.RENOUNCE.meaning': 'Nobody can take it back afterwards.',
  'finding.RENOUNCE.action': 'Sign only if the contract is meant to run without anybody.',

  'finding.NESTED-APPROVE': 'Approves a transaction of another Safe',
  'finding.NESTED-APPROVE.meaning':
    'Only its hash stands here. What it does is in that transaction; its own review decides.',
  'finding.NESTED-APPROVE.action': 'Open that transaction and review it first. Without it, do not sign.',

  'finding.EXEC-AS-MODULE': 'Acts in another Safe as its module',
  'finding.EXEC-AS-MODULE.meaning': 'It moves what the other Safe holds, without confirmations of its owners.',
  'finding.EXEC-AS-MODULE.action': 'Check that this is intended there too.',

  'finding.CALL-NO-CODE': 'The called address has no code',
  'finding.CALL-NO-CODE.meaning': 'The call data has no effect there.',
  'finding.CALL-NO-CODE.action': 'Check the address and the chain.',

  'finding.VALUE-HIDDEN': 'The call also sends native coin',
  'finding.VALUE-HIDDEN.meaning': 'Beside what the function says, an amount moves.',
  'finding.VALUE-HIDDEN.action': 'Check the amount.',

  'finding.ADDR-LOOKALIKE': 'An address resembles another one',
  'finding.ADDR-LOOKALIKE.meaning':
    'It begins and ends like an address that is known or named here, but it is another. Such addresses are made on purpose.',
  'finding.ADDR-LOOKALIKE.action': 'Compare every character with a source of your own.',
} as const

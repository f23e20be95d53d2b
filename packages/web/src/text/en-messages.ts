/** The screens of messages that a Safe signs off the chain. */
export const enMessages = {
  'messages.title': 'Messages',
  'messages.what':
    'A Safe can sign a text or typed data for an application, without a transaction. Enough owners sign; whoever asked for it then asks the Safe on the chain whether the signature holds.',
  'messages.new': 'New message',
  'messages.loading': 'Asking for messages',
  'messages.offChain': 'Signed off the chain',
  'messages.empty': 'No message yet',
  'messages.empty.sentence': 'What an owner proposes here appears for all owners without reloading.',
  'messages.notMember': 'Messages are for the team of this Safe',
  'messages.more': 'Show more',
  'messages.mine': '{count|# waits|# wait} for you',
  'messages.mine.none': 'Nothing waits for you',
  'messages.refused': '{count|# is|# are} not to be signed',
  'messages.complete': 'Has its signatures',
  'messages.onChain': 'Signed on the chain',
  'messages.onChain.sentence':
    'These are in force by a transaction of the Safe, without any signature, and cannot be revoked. The chain keeps their hash alone.',
  'messages.onChain.none': 'This Safe has signed no message on the chain, as far as its history is read.',
  'messages.onChain.transaction': 'Ethereum transaction',

  'message.title': 'Message',
  'message.back': 'All messages',
  'message.loading': 'Asking for the message',
  'message.kind.text': 'Text',
  'message.kind.typed': 'Typed data',
  'message.kind.unreadable': 'Cannot be read',
  'message.summary.empty': 'An empty text',
  'message.summary.unreadable': 'A message that cannot be read',
  'message.otherSafe': 'The server says that this message belongs to another Safe:',
  'message.otherHash': 'The server answered with another message:',
  'message.unreadable': 'The content cannot be read',

  'message.content': 'What is signed',
  'message.content.whole': 'The whole message, to scroll',
  'message.content.text': 'A text, signed as it stands here (EIP-191).',
  'message.content.typed': 'Typed data of the type {type} (EIP-712). Everything that the signature covers:',
  'message.content.empty': 'The text is empty.',
  'message.content.domain': 'For whom: the domain',
  'message.content.message': 'The message',
  'message.content.cut':
    '{count|# more field is|# more fields are} not shown here, and signed all the same. Read the JSON below.',
  'message.content.unsigned': 'Not covered by the signature',
  'message.content.unsigned.sentence':
    'No type declares these fields: whoever gets the signature can change them. Do not rely on them: {paths}',
  'message.content.json': 'The JSON as it came',
  'message.content.copy': 'Copy the message',

  'message.verdict.matches':
    'The hash is the hash of this message for this Safe, and every signature so far is right. What the message says is for you to judge.',
  'message.verdict.cannot-verify': 'Something could not be checked: the Safe, its version, or a signature.',
  'message.verdict.do-not-sign': 'This message is not what it seems, or a signature does not fit.',
  'message.verdict.advice':
    'Do not confirm it, here or elsewhere. Call your co-owners on another channel than the one this came by, and ask whoever proposed it.',
  'message.findings.none': 'Nothing was found in it that is known to be used in attacks.',
  'message.hashes.explanation':
    'Your device shows the first two. Compare them before you sign: they stand for this message and this Safe.',
  'message.hashes.safeMessageHash': 'safeMessageHash',

  'message.confirm.explanation': 'Your wallet signs this message for the Safe with {account}. That costs nothing.',
  'message.confirm.done': 'You have confirmed this message.',
  'message.refused.do-not-sign': 'There is no button here to confirm it.',

  'message.collected': 'The signature of the Safe',
  'message.collected.missing': '{count|# more confirmation is|# more confirmations are} needed.',
  'message.collected.checking': 'Asking the Safe on the chain whether it holds',
  'message.collected.accepted': 'The Safe accepts it',
  'message.collected.accepted.sentence':
    'Asked on the chain, isValidSignature of the Safe answered yes. It stays so while these owners are owners and the threshold is not raised.',
  'message.collected.refused': 'The Safe does not accept it',
  'message.collected.refused.sentence':
    'Asked on the chain, isValidSignature of the Safe did not say yes. Without a fallback handler that knows messages, no Safe since 1.3.0 can.',
  'message.collected.unknown': 'Nobody could ask the Safe',
  'message.collected.unknown.sentence': 'The chain did not answer. That says nothing about the signature.',
  'message.collected.how':
    'Give it to whoever asked. They hash the message themselves and ask the Safe: isValidSignature({hash}, signature) answers 0x1626ba7e.',
  'message.collected.how.legacy':
    'Give it to whoever asked. They ask the Safe: isValidSignature({hash} as bytes, signature) answers 0x20c13b0b.',
  'message.collected.signature': 'Signature',
  'message.collected.hash': 'Hash that it is asked for',
  'message.collected.copy': 'Copy the signature of the Safe',
  'message.collected.owners': 'Signed by',
  'message.onChain': 'Signed on the chain',
  'message.onChain.sentence':
    'A transaction of the Safe has signed this message on the chain: it holds with an empty signature, and cannot be revoked.',

  'message.delete': 'Delete message',
  'message.delete.title': 'Take it back',
  'message.delete.sentence': 'You proposed it, and it has too few confirmations. Deleted, it is gone for all owners.',
  'message.delete.really': 'Delete it for all owners',
  'message.delete.keep': 'Keep it',
  'message.delete.busy': 'Deleting',

  'message.new.title': 'New message',
  'message.new.edit': 'What the Safe shall sign',
  'message.new.kind': 'It is',
  'message.new.kind.text': 'a text',
  'message.new.kind.typed': 'typed data (EIP-712)',
  'message.new.text': 'Text',
  'message.new.text.hint': 'Signed to the letter, with every space and line.',
  'message.new.text.looksTyped':
    'This looks like typed data. Signed as a text it gets another hash, which the application will not take.',
  'message.new.typed': 'Typed data as JSON',
  'message.new.typed.hint': 'As the application gives it: with domain, types, primaryType and message.',
  'message.new.origin': 'Who asks for it (optional)',
  'message.new.origin.hint': 'Such as https://app.example.org. Your co-owners see it as your claim.',
  'message.new.empty': 'Enter what is to be signed.',
  'message.new.unreadable': 'This cannot be signed. {reason}',
  'message.new.review': 'Review',
  'message.new.discard': 'Discard',
  'message.new.sign': 'Sign and propose',
  'message.new.sign.explanation':
    'Your wallet signs this message for the Safe with {account}, and your co-owners are asked to do the same.',
} as const satisfies Record<string, string>

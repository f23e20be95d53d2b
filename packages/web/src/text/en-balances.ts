/** Texts of the balance over time. They come when it is opened. */
export const enBalances = {
  'balances.loading': 'Adding up what came and went',
  'balances.offline': 'The balance over time is asked for as soon as there is a connection.',
  'balances.asset': 'Asset',
  'balances.asset.unlisted': 'Unlisted token {address}',
  'balances.period': 'Period',
  'balances.period.all': 'As far as the history goes',
  'balances.period.365': 'The last 365 days',
  'balances.period.90': 'The last 90 days',
  'balances.period.30': 'The last 30 days',
  'balances.plot': 'Balance of {symbol} over time, change by change',
  'balances.step': '{amount} {symbol}, from {time} on',
  'balances.step.unexplained': '{amount} {symbol}, from {time} on; nothing that was found explains this change',
  'balances.marked': 'A change that nothing explains. It may have happened some blocks earlier.',
  'balances.thinned':
    'Of {changes|# block|# blocks} with a change, {points} are drawn: the last one of each span of time.',
  'balances.none': 'No change of this balance is known',
  'balances.none.sentence': 'The Safe has {amount} {symbol}.',
  'balances.reading': 'The past of this Safe is still being read',
  'balances.reading.sentence': 'The balance over time stands here once all of its history is known.',
  'balances.unread': 'The balance at block {block} could not be read',
  'balances.unread.sentence':
    'The history reaches to block {block}, and the node does not say how much the Safe had there. It is asked again once the history has come further.',
  'balances.before': 'The history does not tell the beginning',
  'balances.before.sentence':
    '{amount} {symbol} were there before the history that is known here begins, or came without a transfer.',
  'balances.missing': 'Transfers and balance do not agree',
  'balances.missing.sentence':
    'The transfers tell of {amount} {symbol} more than the Safe has. The token changes balances without a transfer, or tells of transfers that did not happen. What is drawn is counted back from what the Safe has.',
  'balances.agree': 'Transfers and balance agree: what came less what went is what the Safe has.',
  'balances.agree.unexplained':
    'Transfers alone do not make what the Safe has: some of its changes are ones that nothing explains.',
  'balances.end': 'Counted back from what the chain says at block {block}.',
  'balances.table': 'As a table',
  'balances.table.caption': 'Balance of {symbol} after each change, newest first',
  'balances.table.time': 'Time',
  'balances.table.block': 'Block',
  'balances.table.balance': 'Balance',
  'balances.table.change': 'Change',
  'balances.table.unexplained': 'unexplained',
} as const satisfies Record<string, string>

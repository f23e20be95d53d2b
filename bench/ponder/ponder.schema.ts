import { index, onchainTable, primaryKey } from 'ponder'

/** As `history_entry`, with its key and its index. */
export const history = onchainTable(
  'history',
  (t) => ({
    safeAddress: t.hex().notNull(),
    blockNumber: t.bigint().notNull(),
    logIndex: t.integer().notNull(),
    part: t.integer().notNull(),
    kind: t.text().notNull(),
    blockTime: t.bigint().notNull(),
    transactionHash: t.hex().notNull(),
    safeTxHash: t.hex(),
    isSuccessful: t.boolean(),
    subject: t.hex(),
    token: t.hex(),
    tokenKind: t.text(),
    counterparty: t.hex(),
    amount: t.bigint(),
  }),
  (table) => ({
    place: primaryKey({ columns: [table.safeAddress, table.blockNumber, table.logIndex, table.part] }),
    block: index().on(table.blockNumber),
  }),
)

/** As `multisig_transaction`; the hash would have to be computed. */
export const transaction = onchainTable(
  'transaction',
  (t) => ({
    safeAddress: t.hex().notNull(),
    nonce: t.bigint().notNull(),
    to: t.hex().notNull(),
    value: t.bigint().notNull(),
    data: t.hex().notNull(),
    // `operation` alone is a reserved name.
    callOperation: t.integer().notNull(),
    safeTxGas: t.bigint().notNull(),
    baseGas: t.bigint().notNull(),
    gasPrice: t.bigint().notNull(),
    gasToken: t.hex().notNull(),
    refundReceiver: t.hex().notNull(),
    signatures: t.hex().notNull(),
    threshold: t.bigint().notNull(),
    transactionHash: t.hex().notNull(),
    executor: t.hex().notNull(),
    blockNumber: t.bigint().notNull(),
    logIndex: t.integer().notNull(),
    executionDate: t.bigint().notNull(),
  }),
  (table) => ({
    place: primaryKey({ columns: [table.safeAddress, table.nonce] }),
    block: index().on(table.blockNumber),
  }),
)

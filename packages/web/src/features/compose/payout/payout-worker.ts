import { paymentCall } from '@countersign/safe/compose'
import { type Address, zeroAddress } from 'viem'
import { decodeList, type ListedPayment, parsePaymentList, tokensOfList } from './payment-list.ts'
import type { FromListWorker, ListAnswer, ListQuestion, ToListWorker } from './payout-messages.ts'

// Runs in a Worker, and holds one list: addresses of 50,000 lines take seconds to check, and the page stays usable.

let list = ''
let payments: ListedPayment[] = []
let payer: Address = zeroAddress

async function answer(question: ListQuestion): Promise<ListAnswer[keyof ListAnswer]> {
  switch (question.kind) {
    case 'open':
      list = decodeList(new Uint8Array(await question.file.arrayBuffer()))
      return { tokens: tokensOfList(list) }
    case 'read': {
      const { payments: read, ...summary } = parsePaymentList(list, question)
      payments = read
      payer = question.safeAddress
      return { ...summary, count: read.length }
    }
    case 'calls': {
      const part = payments.slice(question.from, question.from + question.count)
      return { calls: part.map(({ intent }) => paymentCall(intent, payer)), lines: part.map(({ line }) => line) }
    }
    case 'payments':
      return payments
  }
}

self.addEventListener('message', async ({ data: { id, question } }: MessageEvent<ToListWorker>) => {
  const tell = (message: FromListWorker) => self.postMessage(message)
  await answer(question).then(
    (given) => tell({ id, answer: given }),
    (error) => tell({ id, failed: error instanceof Error ? error.message : String(error) }),
  )
})

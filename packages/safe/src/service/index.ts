export type { Lookout } from './service-answers.ts'
export { parseServiceDelegates, type ServiceDelegate } from './service-delegates.ts'
export { parseServiceMessages, type ServiceMessage } from './service-messages.ts'
export { parseServiceQueue, type ServiceProposal, type ServiceQueue } from './service-queue.ts'
export {
  delegateHashes,
  delegateTypedData,
  deleteRequestHashes,
  deleteRequestTypedData,
  serviceHour,
} from './service-requests.ts'

export type { Lookout } from './service-answers.ts'
export { parseServiceDelegates, type ServiceDelegate } from './service-delegates.ts'
export { parseServiceMessages, type ServiceMessage, type ServiceMessages } from './service-messages.ts'
export { parseServiceQueue, type ServiceProposal, type ServiceQueue, type UnusableProposal } from './service-queue.ts'
export {
  type DelegateRequest,
  type DeleteRequest,
  delegateHashes,
  delegateTextHashes,
  delegateTypedData,
  deleteRequestHashes,
  deleteRequestTypedData,
  serviceHour,
} from './service-requests.ts'

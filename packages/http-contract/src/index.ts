export type {
  AccessRequest,
  AccessRules,
  AdminCaller,
  AdminRule,
  HostRefusal,
  HostRule,
  HostVerdict,
} from './access/access-rules.ts'
export { accessRequest, accessRule, checkAccessRules } from './access/access-rules.ts'
export type { PresentedRequest } from './access/admin.ts'
export { adminCheck, adminRefusal, verdictRefusal } from './access/admin.ts'
export type { AdminCheck, AdminCredentials, AdminVerdict, Peer, TooManyGuesses } from './access/admin-check.ts'
export type { CheckedVerdict } from './access/ask-host.ts'
export { askHost } from './access/ask-host.ts'
export type { Credentials } from './access/credentials.ts'
export { credentialsOf } from './access/credentials.ts'
export { isCrossSite } from './access/cross-site.ts'
export type { AccessCaller, AccessDecision, AnonymousCaller, OfferedAccess } from './access/decide-access.ts'
export { callerIdentity, decideAccess } from './access/decide-access.ts'
export { isForeign, isLoopback } from './access/foreign-request.ts'
export type { GuessLimitOptions } from './access/guess-limit.ts'
export { limitGuesses } from './access/guess-limit.ts'
export type { Refusal, RefusalReason } from './access/refusal.ts'
export { isSameOrigin } from './access/same-origin.ts'
export { sourceOf } from './access/source-of.ts'
export type { UserCaller, UserLimits } from './access/user-caller.ts'
export { mayCall } from './access/user-caller.ts'
export type { AnsweredRequest, CallerIdentity } from './answered-request.ts'
export { asSentence } from './as-sentence.ts'
export { ByteCollector } from './byte-collector.ts'
export type { OptionNames } from './check-options.ts'
export { checkOptions } from './check-options.ts'
export { issueOf } from './checked-input.ts'
export { describeIssue, describeRequirement } from './describe-issue.ts'
export { encodeEvent } from './event-stream.ts'
export { exactJson, jsonInteger, parseExactJson } from './exact-json.ts'
export type { Exchange, Mount, Reply, RequestHeaders } from './exchange.ts'
export type { Failures, InputIssue } from './failures.ts'
export { faultReport } from './fault-report.ts'
export { forwardedMount, forwardedPath } from './forwarded-mount.ts'
export { givenBody, givenChunks } from './given-body.ts'
export type { Admission, ImplementOptions, ParsedBody } from './implement.ts'
export { implement } from './implement.ts'
export type { SocketFailures } from './implement-sockets.ts'
export { implementSockets } from './implement-sockets.ts'
export { isObject } from './is-object.ts'
export type { Closable, CloseOptions, MountLifetime } from './mount-lifetime.ts'
export { createMountLifetime, DEFAULT_GRACE_SECONDS } from './mount-lifetime.ts'
export type { MountAddress } from './mount-of.ts'
export { isPlainHost, mountOf } from './mount-of.ts'
export type { Call, Contract, Handlers, Operation } from './operation.ts'
export { defineContract } from './operation.ts'
export { parseTurn } from './parse-turns.ts'
export type { PathMatch } from './path-matcher.ts'
export { pathMatcher } from './path-matcher.ts'
export { pathPrefix } from './path-prefix.ts'
export type { PathTemplate } from './path-template.ts'
export { nameValues } from './path-template.ts'
export { closeIterator, JSON_TYPE, noSniffing, releaseReply } from './reply-without-body.ts'
export type { BodyAdvice, ParseBodyOptions, RequestBody } from './request-body.ts'
export {
  BodyTooLarge,
  BodyUnavailable,
  ClientDisconnected,
  consumedBody,
  ExcessiveBody,
  MalformedBody,
  parseBody,
  parseInTurns,
} from './request-body.ts'
export type {
  BytesBody,
  EncodedJson,
  EventStream,
  JsonLines,
  JsonOr,
  NoBody,
  Relay,
  ResponseBody,
} from './response-body.ts'
export { bytes, encodedJson, eventStream, jsonLines, jsonOr, noBody, relay } from './response-body.ts'
export type { Route } from './route.ts'
export type { PathMethod, RoutePath } from './route-path.ts'
export { pathRoutes } from './route-path.ts'
export { shortened } from './shortened.ts'
export type {
  Socket,
  SocketCall,
  SocketContract,
  SocketExchange,
  SocketOperation,
  SocketRefusal,
  SocketRoute,
  SocketVerdict,
} from './socket.ts'
export { defineSockets } from './socket.ts'
export type { Upload } from './upload.ts'
export { inOneChunk } from './upload.ts'

/** The body of the 403 for a request to a loopback server with a foreign `Host` or `Origin`, in the error shapes of all services. */
export const foreignRefusal = JSON.stringify({
  error: {
    message:
      'This server listens on loopback and answers only requests whose Host and Origin are loopback too. Let a proxy send such a Host, or listen on another address (--host).',
    type: 'invalid_request_error',
    param: null,
    code: 'foreign_origin',
  },
  message: 'The Host or Origin of the request is not loopback.',
  status: 403,
})

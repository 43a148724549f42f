/** What a request to a loopback server that came by a foreign name is told, whichever service it meant. */
export const foreignRefusal = JSON.stringify({
  error: {
    message: 'This server listens on loopback and answers only requests whose Host and Origin are loopback too.',
    type: 'invalid_request_error',
    param: null,
    code: 'foreign_origin',
  },
  message: 'Foreign Host or Origin',
  status: 403,
})

/* Moves datagrams between UDP sockets and memory, many with one system call, without reading their content.
 *
 * receive(descriptor, lengths)                      recvmmsg into own slots, without waiting
 * take(into, offset)                                copies the received datagrams, one after the other
 * send(descriptor, frames, lengths, count, segment) sendmmsg; runs of equal lengths as one segmented datagram
 *
 * One binary works with glibc and with musl: it is linked with no library, and uses only names that both have. The system
 * calls are made directly, since musl sends the messages of sendmmsg one by one.
 */
#define _GNU_SOURCE
#define NAPI_VERSION 8
#include <errno.h>
#include <netinet/in.h>
#include <node_api.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif

/* Datagrams of one call; also the most segments that every kernel with segmentation takes. */
enum { BATCH = 64 };
/* The most bytes of a datagram. The rest of a slot keeps slots out of each other's cache lines. */
enum { LARGEST = 65535, SLOT = 65536 + 4096 + 64 };
/* The most payload of one segmented datagram, by the limit of IPv6, which is lower. */
enum { LARGEST_RUN = 65535 - 48 };

struct state {
  unsigned char *slots;
  struct mmsghdr received[BATCH], sent[BATCH];
  struct iovec in[BATCH], out[BATCH];
  int frames[BATCH];
  char control[BATCH][CMSG_SPACE(sizeof(uint16_t))];
  int count;
};

static napi_value number(napi_env env, int32_t value) {
  napi_value result;
  napi_create_int32(env, value, &result);
  return result;
}

static napi_value wrong(napi_env env) {
  napi_throw_type_error(env, NULL, "The arguments must be a descriptor, buffers, and numbers within the buffers.");
  return NULL;
}

/* Finds the bytes of a typed array of this type. */
static int bytes_of(napi_env env, napi_value value, napi_typedarray_type wanted, void **data, size_t *length) {
  napi_typedarray_type type;
  return napi_get_typedarray_info(env, value, &type, length, data, NULL, NULL) == napi_ok && type == wanted;
}

static napi_value receive(napi_env env, napi_callback_info info) {
  struct state *state;
  napi_value words[2];
  size_t count = 2, room;
  int32_t descriptor;
  void *lengths;
  if (napi_get_cb_info(env, info, &count, words, NULL, (void **)&state) != napi_ok || count != 2 ||
      napi_get_value_int32(env, words[0], &descriptor) != napi_ok ||
      !bytes_of(env, words[1], napi_int32_array, &lengths, &room) || room < BATCH)
    return wrong(env);
  state->count = 0;
  for (int attempt = 0; attempt < 3; attempt += 1) {
    int received = syscall(SYS_recvmmsg, descriptor, state->received, BATCH, MSG_DONTWAIT, NULL);
    if (received >= 0) {
      for (int i = 0; i < received; i += 1) ((int32_t *)lengths)[i] = state->received[i].msg_len;
      state->count = received;
      return number(env, received);
    }
    /* The error of an earlier datagram, which this call has cleared. */
    if (errno != ECONNREFUSED && errno != EINTR) break;
  }
  return number(env, 0);
}

static napi_value take(napi_env env, napi_callback_info info) {
  struct state *state;
  napi_value words[2];
  size_t count = 2, room, total = 0;
  uint32_t offset;
  void *into;
  if (napi_get_cb_info(env, info, &count, words, NULL, (void **)&state) != napi_ok || count != 2 ||
      !bytes_of(env, words[0], napi_uint8_array, &into, &room) ||
      napi_get_value_uint32(env, words[1], &offset) != napi_ok)
    return wrong(env);
  for (int i = 0; i < state->count; i += 1) total += state->received[i].msg_len;
  if (offset > room || total > room - offset) return wrong(env);
  unsigned char *to = (unsigned char *)into + offset;
  for (int i = 0; i < state->count; i += 1) {
    memcpy(to, state->in[i].iov_base, state->received[i].msg_len);
    to += state->received[i].msg_len;
  }
  state->count = 0;
  return NULL;
}

/* Counts the frames from `first` on that fit into one segmented datagram: equal lengths, the last may be shorter. */
static int run_of(const int32_t *lengths, int first, int count) {
  int end = first + 1;
  int32_t size = lengths[first], total = size;
  while (end < count && lengths[end] <= size && lengths[end] > 0 && total + lengths[end] <= LARGEST_RUN) {
    total += lengths[end];
    end += 1;
    if (lengths[end - 1] < size) break;
  }
  return end - first;
}

/* Prepares the messages, with segmentation one for each run. Returns their number. */
static int prepare(struct state *state, unsigned char *at, const int32_t *lengths, int first, int count, int segment) {
  int messages = 0;
  while (first < count) {
    int frames = segment && lengths[first] > 0 ? run_of(lengths, first, count) : 1;
    size_t total = 0;
    for (int i = first; i < first + frames; i += 1) total += lengths[i];
    state->out[messages] = (struct iovec){at, total};
    state->frames[messages] = frames;
    struct msghdr *header = &state->sent[messages].msg_hdr;
    header->msg_control = frames > 1 ? state->control[messages] : NULL;
    header->msg_controllen = frames > 1 ? sizeof state->control[messages] : 0;
    if (frames > 1) {
      struct cmsghdr *control = CMSG_FIRSTHDR(header);
      uint16_t size = lengths[first];
      control->cmsg_level = IPPROTO_UDP;
      control->cmsg_type = UDP_SEGMENT;
      control->cmsg_len = CMSG_LEN(sizeof size);
      memcpy(CMSG_DATA(control), &size, sizeof size);
    }
    at += total;
    first += frames;
    messages += 1;
  }
  return messages;
}

static napi_value send_frames(napi_env env, napi_callback_info info) {
  struct state *state;
  napi_value words[5];
  size_t count = 5, room, places, total = 0;
  int32_t descriptor, frames;
  void *data, *lengths;
  bool segment;
  if (napi_get_cb_info(env, info, &count, words, NULL, (void **)&state) != napi_ok || count != 5 ||
      napi_get_value_int32(env, words[0], &descriptor) != napi_ok ||
      !bytes_of(env, words[1], napi_uint8_array, &data, &room) ||
      !bytes_of(env, words[2], napi_int32_array, &lengths, &places) ||
      napi_get_value_int32(env, words[3], &frames) != napi_ok || napi_get_value_bool(env, words[4], &segment) != napi_ok ||
      frames < 0 || frames > BATCH || (size_t)frames > places)
    return wrong(env);
  for (int i = 0; i < frames; i += 1) {
    int32_t length = ((int32_t *)lengths)[i];
    if (length < 0 || length > LARGEST) return wrong(env);
    total += length;
  }
  if (total > room) return wrong(env);

  int first = 0, accepted = 0, refused = 0, complaints = 0;
  unsigned char *at = data;
  while (first < frames) {
    int messages = prepare(state, at, lengths, first, frames, segment), done = 0;
    while (done < messages) {
      int sent = syscall(SYS_sendmmsg, descriptor, state->sent + done, messages - done, 0);
      if (sent > 0) {
        for (int i = done; i < done + sent; i += 1) {
          first += state->frames[i];
          accepted += state->frames[i];
          at += state->out[i].iov_len;
        }
        done += sent;
        continue;
      }
      if (errno == EINTR) continue;
      /* The error of an earlier datagram: this one has not been sent. */
      if (errno == ECONNREFUSED && complaints < BATCH) {
        complaints += 1;
        continue;
      }
      if (state->frames[done] > 1 && errno != EAGAIN && errno != ENOBUFS) {
        /* The path to this peer has no segmentation: the rest is sent one by one. */
        segment = false;
        refused = 1;
        break;
      }
      /* The rest is dropped: waiting for space would block all others. */
      if (errno == EAGAIN || errno == ENOBUFS || errno == EBADF) return number(env, refused ? -accepted - 1 : accepted);
      first += state->frames[done];
      at += state->out[done].iov_len;
      done += 1;
    }
  }
  return number(env, refused ? -accepted - 1 : accepted);
}

static void release(napi_env env, void *data, void *hint) {
  struct state *state = data;
  (void)env;
  (void)hint;
  munmap(state->slots, (size_t)BATCH * SLOT);
  munmap(state, sizeof *state);
}

static void *pages(size_t bytes) {
  void *found = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return found == MAP_FAILED ? NULL : found;
}

static int add(napi_env env, napi_value exports, const char *name, napi_callback callback, void *state) {
  napi_value function;
  return napi_create_function(env, name, NAPI_AUTO_LENGTH, callback, state, &function) == napi_ok &&
         napi_set_named_property(env, exports, name, function) == napi_ok;
}

NAPI_MODULE_INIT() {
  /* The operating system provides pages only when a datagram uses them. */
  struct state *state = pages(sizeof *state);
  if (state != NULL) state->slots = pages((size_t)BATCH * SLOT);
  if (state == NULL || state->slots == NULL) {
    napi_throw_error(env, NULL, "There is no memory for datagrams.");
    return NULL;
  }
  for (int i = 0; i < BATCH; i += 1) {
    state->in[i] = (struct iovec){state->slots + (size_t)i * SLOT, LARGEST};
    state->received[i].msg_hdr.msg_iov = &state->in[i];
    state->sent[i].msg_hdr.msg_iov = &state->out[i];
    state->received[i].msg_hdr.msg_iovlen = state->sent[i].msg_hdr.msg_iovlen = 1;
  }
  napi_set_instance_data(env, state, release, NULL);
  napi_set_named_property(env, exports, "size", number(env, BATCH));
  napi_value source;
  napi_create_string_utf8(env, SOURCE_DIGEST, NAPI_AUTO_LENGTH, &source);
  napi_set_named_property(env, exports, "source", source);
  if (!add(env, exports, "receive", receive, state) || !add(env, exports, "take", take, state) ||
      !add(env, exports, "send", send_frames, state))
    return NULL;
  return exports;
}

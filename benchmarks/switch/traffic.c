/* Sends Ethernet frames to one port of a forwarder, and counts those that its other port sends.
 *
 * traffic udp FROM TO BYTES SECONDS WINDOW RATE       UDP ports of a forwarder; this program has the ports above
 * traffic packet FROM TO BYTES SECONDS WINDOW RATE    network interfaces
 * traffic vde SWITCH SWITCH BYTES SECONDS WINDOW RATE directories of VDE switches (where compiled with -DVDE)
 *
 * With a RATE (frames a second) frames are sent at that pace, otherwise as fast as WINDOW frames in transit allow. The
 * first tenth of the time is not counted. Every frame contains the time at which it was sent. With the word open after the
 * RATE no frame is left out, and each contains the time at which it was due.
 * Prints: sent received seconds, the 50th, 99th and 99.9th percentile of the microseconds in transit, and the same ones of
 * the microseconds from when a frame was due until it was sent.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#ifdef VDE
#include <libvdeplug.h>
#endif

enum { BATCH = 64, LARGEST = 2048, TIMES = 1 << 22, UDP = 17, SEGMENT = 103, TYPE = 0x88b5 };

struct end {
  int descriptor, segments;
  void *vde;
};

static unsigned char out_bytes[BATCH * LARGEST], in_bytes[BATCH][LARGEST];
static uint32_t times[TIMES], lates[TIMES];
static long measured, paced;

static uint64_t nanoseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static void widen(int descriptor) {
  int bytes = 8 << 20;
  if (setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof bytes) < 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
}

static struct end open_udp(int remote) {
  int descriptor = socket(AF_INET, SOCK_DGRAM, 0);
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons(remote + 1)};
  widen(descriptor);
  if (bind(descriptor, (struct sockaddr *)&address, sizeof address) < 0) fail("bind");
  address.sin_port = htons(remote);
  if (connect(descriptor, (struct sockaddr *)&address, sizeof address) < 0) fail("connect");
  /* Runs of frames are sent as one datagram that the kernel splits: otherwise this program would be the slower one. */
  return (struct end){.descriptor = descriptor, .segments = 1};
}

static struct end open_packet(const char *name) {
  int descriptor = socket(AF_PACKET, SOCK_RAW, htons(TYPE)), yes = 1;
  struct sockaddr_ll address = {.sll_family = AF_PACKET, .sll_protocol = htons(TYPE), .sll_ifindex = if_nametoindex(name)};
  if (descriptor < 0) fail("socket");
  widen(descriptor);
  setsockopt(descriptor, SOL_PACKET, PACKET_QDISC_BYPASS, &yes, sizeof yes);
  if (bind(descriptor, (struct sockaddr *)&address, sizeof address) < 0) fail(name);
  return (struct end){.descriptor = descriptor};
}

static struct end open_vde(const char *directory) {
#ifdef VDE
  VDECONN *connection = vde_open((char *)directory, "traffic", NULL);
  if (connection == NULL) fail(directory);
  int descriptor = vde_datafd(connection);
  widen(descriptor);
  fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
  return (struct end){.descriptor = descriptor, .vde = connection};
#else
  (void)directory;
  errno = ENOTSUP;
  fail("vde");
  exit(1);
#endif
}

static struct end open_end(const char *kind, const char *name) {
  if (strcmp(kind, "udp") == 0) return open_udp(atoi(name));
  return strcmp(kind, "packet") == 0 ? open_packet(name) : open_vde(name);
}

static int send_batch(struct end *end, int count, int size) {
#ifdef VDE
  if (end->vde != NULL) {
    int sent = 0;
    while (sent < count && vde_send(end->vde, out_bytes + sent * size, size, 0) == size) sent += 1;
    return sent;
  }
#endif
  struct iovec all = {out_bytes, (size_t)count * size};
  char space[CMSG_SPACE(sizeof(uint16_t))] = {0};
  if (end->segments) {
    /* The largest datagram limits a run. */
    if (count > 65000 / size) count = 65000 / size;
    all.iov_len = (size_t)count * size;
    struct msghdr message = {.msg_iov = &all, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
    struct cmsghdr *control = CMSG_FIRSTHDR(&message);
    uint16_t each = size;
    control->cmsg_level = UDP;
    control->cmsg_type = SEGMENT;
    control->cmsg_len = CMSG_LEN(sizeof each);
    memcpy(CMSG_DATA(control), &each, sizeof each);
    return sendmsg(end->descriptor, &message, 0) < 0 ? 0 : count;
  }
  struct mmsghdr messages[BATCH] = {0};
  struct iovec pieces[BATCH];
  for (int i = 0; i < count; i += 1) {
    pieces[i] = (struct iovec){out_bytes + i * size, size};
    messages[i].msg_hdr.msg_iov = &pieces[i];
    messages[i].msg_hdr.msg_iovlen = 1;
  }
  int sent = sendmmsg(end->descriptor, messages, count, 0);
  return sent < 0 ? 0 : sent;
}

/* Receives frames, and records the transit time of each. */
static int receive_batch(struct end *end, int counts) {
  struct mmsghdr messages[BATCH] = {0};
  struct iovec pieces[BATCH];
  int arrived = 0;
#ifdef VDE
  if (end->vde != NULL)
    while (arrived < BATCH && vde_recv(end->vde, in_bytes[arrived], LARGEST, 0) > 0) arrived += 1;
  else
#endif
  {
    for (int i = 0; i < BATCH; i += 1) {
      pieces[i] = (struct iovec){in_bytes[i], LARGEST};
      messages[i].msg_hdr.msg_iov = &pieces[i];
      messages[i].msg_hdr.msg_iovlen = 1;
    }
    arrived = recvmmsg(end->descriptor, messages, BATCH, MSG_DONTWAIT, NULL);
    if (arrived < 0) arrived = 0;
  }
  uint64_t now = nanoseconds(), then;
  for (int i = 0; counts && i < arrived; i += 1) {
    memcpy(&then, in_bytes[i] + 16, sizeof then);
    times[measured % TIMES] = now - then > UINT32_MAX ? UINT32_MAX : now - then;
    measured += 1;
  }
  return arrived;
}

static void write_frame(unsigned char *frame, int size, int from, int to) {
  memset(frame, 0, size);
  frame[0] = frame[6] = 2;
  frame[5] = to;
  frame[11] = from;
  frame[12] = TYPE >> 8;
  frame[13] = TYPE & 255;
}

static int ascending(const void *one, const void *other) {
  uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
  return a < b ? -1 : a > b;
}

/* Sorts the values, and prints their percentiles in microseconds. */
static void print_percentiles(uint32_t *values, long number, char end) {
  long count = number < TIMES ? number : TIMES;
  qsort(values, count, sizeof values[0], ascending);
  const double shares[] = {0.5, 0.99, 0.999};
  for (int i = 0; i < 3; i += 1)
    printf("%f%c", count == 0 ? 0 : values[(long)(shares[i] * (count - 1))] / 1e3, i < 2 ? ' ' : end);
}

int main(int count, char **words) {
  if (count != 8 && count != 9) return 2;
  int size = atoi(words[4]), window = atoi(words[6]), open_loop = count == 9 && strcmp(words[8], "open") == 0;
  double duration = atof(words[5]), rate = atof(words[7]);
  struct end out = open_end(words[1], words[2]), in = open_end(words[1], words[3]);

  /* The forwarder learns both addresses, so that it forwards instead of flooding. */
  struct timespec pause = {.tv_nsec = 50000000};
  write_frame(out_bytes, 64, 2, 1);
  send_batch(&in, 1, 64);
  nanosleep(&pause, NULL);
  write_frame(out_bytes, 64, 1, 2);
  send_batch(&out, 1, 64);
  nanosleep(&pause, NULL);
  while (receive_batch(&in, 0) > 0 || receive_batch(&out, 0) > 0);
  for (int i = 0; i < BATCH; i += 1) write_frame(out_bytes + i * size, size, 1, 2);

  long sent = 0, received = 0, lost = 0, missed = 0, sent_before = 0, received_before = 0;
  double start = nanoseconds() / 1e9, counted = 0, progress = start, time;
  while ((time = nanoseconds() / 1e9) < start + duration * 1.1) {
    if (counted == 0 && time > start + duration * 0.1) {
      counted = time;
      sent_before = sent;
      received_before = received;
    }
    long room = window - (sent - received - lost);
    if (rate > 0) {
      /* After a time without the processor, the missed frames are not sent in one burst. */
      room = (long)((time - start) * rate) - sent - missed;
      if (room > window && !open_loop) {
        missed += room - window;
        room = window;
      }
    }
    if (room > 0) {
      int frames = room < BATCH ? room : BATCH;
      uint64_t now = nanoseconds();
      for (int i = 0; i < frames; i += 1) {
        uint64_t due = open_loop ? (uint64_t)((start + (sent + i + 1) / rate) * 1e9) : now;
        memcpy(out_bytes + i * size + 16, &due, sizeof due);
        if (open_loop && counted > 0) lates[paced++ % TIMES] = now > due ? now - due : 0;
      }
      sent += send_batch(&out, frames, size);
    }
    int arrived = receive_batch(&in, counted > 0);
    if (arrived > 0) {
      received += arrived;
      progress = time;
      if (lost > sent - received) lost = sent - received;
    } else if (time - progress > 0.25) {
      lost = sent - received;
      progress = time;
    } else if (room <= 0 && rate == 0) {
      struct pollfd wait = {in.descriptor, POLLIN, 0};
      poll(&wait, 1, 5);
    }
  }
  double seconds = nanoseconds() / 1e9 - counted;
  printf("%ld %ld %f ", sent - sent_before, received - received_before, seconds);
  print_percentiles(times, measured, ' ');
  print_percentiles(lates, paced, '\n');
  return 0;
}

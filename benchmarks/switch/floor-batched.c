/* The minimal forwarder with many datagrams in one system call: sends each datagram that port FROM receives from port TO.
 * Runs of equal lengths are sent as one datagram that the kernel splits.
 *
 * floor-batched FROM TO
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum { BATCH = 64, LARGEST = 2048, UDP = 17, SEGMENT = 103 };

static int connected(int local) {
  int descriptor = socket(AF_INET, SOCK_DGRAM, 0), bytes = 1 << 20;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons(local)};
  setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
  if (bind(descriptor, (struct sockaddr *)&address, sizeof address) < 0) exit(1);
  address.sin_port = htons(local + 1);
  connect(descriptor, (struct sockaddr *)&address, sizeof address);
  return descriptor;
}

int main(int count, char **words) {
  static char frames[BATCH][LARGEST];
  static struct mmsghdr received[BATCH];
  static struct iovec pieces[BATCH];
  if (count != 3) return 2;
  int in = connected(atoi(words[1])), out = connected(atoi(words[2]));
  for (int i = 0; i < BATCH; i += 1) {
    received[i].msg_hdr.msg_iov = &pieces[i];
    received[i].msg_hdr.msg_iovlen = 1;
  }
  for (;;) {
    for (int i = 0; i < BATCH; i += 1) pieces[i] = (struct iovec){frames[i], LARGEST};
    int arrived = recvmmsg(in, received, BATCH, MSG_WAITFORONE, NULL);
    for (int first = 0, end; first < arrived; first = end) {
      uint16_t size = received[first].msg_len;
      for (end = first; end < arrived && received[end].msg_len == size && (end - first + 1) * size < 65000; end += 1)
        pieces[end].iov_len = size;
      char space[CMSG_SPACE(sizeof size)] = {0};
      struct msghdr message = {.msg_iov = pieces + first, .msg_iovlen = end - first};
      if (end - first > 1) {
        message.msg_control = space;
        message.msg_controllen = sizeof space;
        struct cmsghdr *control = CMSG_FIRSTHDR(&message);
        control->cmsg_level = UDP;
        control->cmsg_type = SEGMENT;
        control->cmsg_len = CMSG_LEN(sizeof size);
        memcpy(CMSG_DATA(control), &size, sizeof size);
      }
      sendmsg(out, &message, 0);
    }
  }
}

/* The minimal forwarder: sends each datagram that port FROM receives from port TO.
 *
 * floor FROM TO
 */
#include <arpa/inet.h>
#include <stdlib.h>
#include <sys/socket.h>

static int connected(int local) {
  int descriptor = socket(AF_INET, SOCK_DGRAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons(local)};
  if (bind(descriptor, (struct sockaddr *)&address, sizeof address) < 0) exit(1);
  address.sin_port = htons(local + 1);
  connect(descriptor, (struct sockaddr *)&address, sizeof address);
  return descriptor;
}

int main(int count, char **words) {
  static char frame[65536];
  if (count != 3) return 2;
  int in = connected(atoi(words[1])), out = connected(atoi(words[2]));
  for (;;) {
    ssize_t length = recv(in, frame, sizeof frame, 0);
    if (length > 0) send(out, frame, length, 0);
  }
}

// Preloaded into crawld: calls on sockets fail now and then as a tired kernel or a bad network makes them
// fail, and move fewer octets than asked for. Files, pipes and the disk are never touched.
//
// CRAWLD_FAULTS_PER_MILLE  how many of a thousand calls are hit
// CRAWLD_FAULTS_SEED       which ones
// CRAWLD_FAULTS_ONLY       the name of the function that is hit; without it all are
// CRAWLD_FAULTS_UNWATCHED  1: the first datagram socket cannot be watched, whatever else happens
// CRAWLD_FAULTS_THREAD     the number of the one thread that cannot be started, from 1
// CRAWLD_FAULTS_COUNTS     a file that has `name calls faults` for each function when the process has ended
//
// Only what Linux can do is done: no error that the call never has, no datagram cut in two, no short write
// without the event that says when there is room again.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <unistd.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))
#define NEXT(name) ((__typeof__(&name))next_of(k_##name, #name))

enum {
  k_socket,
  k_connect,
  k_setsockopt,
  k_getsockopt,
  k_fcntl,
  k_ioctl,
  k_epoll_ctl,
  k_epoll_wait,
  k_timerfd_settime,
  k_pthread_create,
  k_recv,
  k_recvfrom,
  k_recvmsg,
  k_read,
  k_readv,
  k_send,
  k_sendto,
  k_sendmsg,
  k_write,
  k_writev,
  k_late,      // no function: a connection that fails after connect(2) returned
  k_short_in,  // nor these: fewer octets than could be had
  k_short_out,
  k_functions
};
static const char* const kNames[k_functions] = {"socket",         "connect",    "setsockopt",
                                                "getsockopt",     "fcntl",      "ioctl",
                                                "epoll_ctl",      "epoll_wait", "timerfd_settime",
                                                "pthread_create", "recv",       "recvfrom",
                                                "recvmsg",        "read",       "readv",
                                                "send",           "sendto",     "sendmsg",
                                                "write",          "writev",     "late",
                                                "short_in",       "short_out"};

static const int kNoSocket[] = {EMFILE, ENFILE, ENOBUFS, ENOMEM};
static const int kNoConnection[] = {ETIMEDOUT, ECONNREFUSED, EHOSTUNREACH, ENETUNREACH,
                                    ENETDOWN,  ENOBUFS,      ENOMEM,       EADDRNOTAVAIL};
static const int kLate[] = {ETIMEDOUT, ECONNREFUSED, EHOSTUNREACH, ECONNRESET, ENETUNREACH};
static const int kNoOption[] = {ENOBUFS, ENOMEM};
static const int kNoWatch[] = {ENOSPC, ENOMEM};
static const int kInterrupted[] = {EINTR};
static const int kNoTimer[] = {ENOMEM};
static const int kNotReceived[] = {ECONNRESET, ETIMEDOUT, EHOSTUNREACH, ENETDOWN, ENOBUFS, ENOMEM, EINTR};
static const int kNotSent[] = {EPIPE, ECONNRESET, ETIMEDOUT, EHOSTUNREACH, ENETDOWN, ENOBUFS, ENOMEM, EINTR};

static _Atomic(void*) g_next[k_functions];
static atomic_ullong g_calls[k_functions], g_faults[k_functions], g_draws;
static unsigned long long g_seed;
static unsigned g_per_mille;
static const char* g_only;
static unsigned long long g_thread;
static atomic_int g_unwatched;

// How each socket is watched, so that a short write can be followed by its event.
#define WATCHED_MAX 65536
static _Atomic int g_watched_by[WATCHED_MAX];
static struct epoll_event g_watched_for[WATCHED_MAX];

static void* next_of(int which, const char* name) {
  void* found = atomic_load(&g_next[which]);
  if (found == NULL) {
    found = dlsym(RTLD_NEXT, name);
    atomic_store(&g_next[which], found);
  }
  return found;
}

static unsigned long long number_of(const char* name) {
  const char* const text = getenv(name);
  return text == NULL ? 0 : strtoull(text, NULL, 10);
}

__attribute__((constructor)) static void begin(void) {
  g_seed = number_of("CRAWLD_FAULTS_SEED");
  g_per_mille = (unsigned)number_of("CRAWLD_FAULTS_PER_MILLE");
  g_thread = number_of("CRAWLD_FAULTS_THREAD");
  g_only = getenv("CRAWLD_FAULTS_ONLY");
  atomic_store(&g_unwatched, (int)number_of("CRAWLD_FAULTS_UNWATCHED"));
}

__attribute__((destructor)) static void end(void) {
  const char* const path = getenv("CRAWLD_FAULTS_COUNTS");
  FILE* const file = path == NULL ? NULL : fopen(path, "w");
  if (file == NULL) return;
  for (int i = 0; i < k_functions; ++i)
    fprintf(file, "%s %llu %llu\n", kNames[i], atomic_load(&g_calls[i]), atomic_load(&g_faults[i]));
  fclose(file);
}

// splitmix64 of the seed and of how many draws came before.
static unsigned long long draw(void) {
  unsigned long long z =
      g_seed * 0x9e3779b97f4a7c15ULL + (atomic_fetch_add(&g_draws, 1) + 1) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

static int hit(int which) {
  atomic_fetch_add(&g_calls[which], 1);
  if (g_only != NULL && strcmp(g_only, kNames[which]) != 0) return 0;
  if (draw() % 1000 >= g_per_mille) return 0;
  atomic_fetch_add(&g_faults[which], 1);
  return 1;
}

static int one_of(const int* errors, size_t count) {
  errno = errors[draw() % count];
  return -1;
}
#define FAIL(errors) one_of(errors, COUNT(errors))

static int is_socket(int descriptor) {
  struct stat about;
  const int before = errno;
  const int found = fstat(descriptor, &about) == 0 && S_ISSOCK(about.st_mode);
  errno = before;
  return found;
}

static int has_type(int descriptor, int wanted) {
  int type = 0;
  socklen_t size = sizeof type;
  const int before = errno;
  const int found = NEXT(getsockopt)(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == wanted;
  errno = before;
  return found;
}

// How many of `octets` a call on a stream may move: all of them, or now and then fewer, but some.
static size_t fewer(int which, int descriptor, size_t octets) {
  if (octets < 2 || !has_type(descriptor, SOCK_STREAM) || !hit(which)) return octets;
  return 1 + draw() % (octets - 1);
}

// The kernel announces when there is room again after a write that was cut short. Here there is room at once.
static void announce_room(int descriptor) {
  if (descriptor >= WATCHED_MAX) return;
  const int by = atomic_load(&g_watched_by[descriptor]) - 1;
  if (by < 0) return;
  struct epoll_event event = g_watched_for[descriptor];
  NEXT(epoll_ctl)(by, EPOLL_CTL_MOD, descriptor, &event);
}

// --- calls without octets ---

int socket(int family, int type, int protocol) {
  if ((family == AF_INET || family == AF_INET6) && hit(k_socket)) return FAIL(kNoSocket);
  return NEXT(socket)(family, type, protocol);
}

int connect(int descriptor, const struct sockaddr* address, socklen_t size) {
  if (hit(k_connect)) return FAIL(kNoConnection);
  return NEXT(connect)(descriptor, address, size);
}

int setsockopt(int descriptor, int level, int name, const void* value, socklen_t size) {
  if (hit(k_setsockopt)) return FAIL(kNoOption);
  return NEXT(setsockopt)(descriptor, level, name, value, size);
}

int getsockopt(int descriptor, int level, int name, void* value, socklen_t* size) {
  if (hit(k_getsockopt)) return FAIL(kNoOption);
  const int result = NEXT(getsockopt)(descriptor, level, name, value, size);
  if (result == 0 && level == SOL_SOCKET && name == SO_ERROR && *(int*)value == 0 && hit(k_late)) {
    *(int*)value = kLate[draw() % COUNT(kLate)];
  }
  return result;
}

static int fcntl_of(int descriptor, int command, void* argument) {
  if (is_socket(descriptor) && hit(k_fcntl)) return FAIL(kNoOption);
  return NEXT(fcntl)(descriptor, command, argument);
}

#define LAST_ARGUMENT(after)                  \
  va_list list;                               \
  va_start(list, after);                      \
  void* const argument = va_arg(list, void*); \
  va_end(list)

int fcntl(int descriptor, int command, ...) {
  LAST_ARGUMENT(command);
  return fcntl_of(descriptor, command, argument);
}

int fcntl64(int descriptor, int command, ...) {
  LAST_ARGUMENT(command);
  return fcntl_of(descriptor, command, argument);
}

int ioctl(int descriptor, unsigned long request, ...) {
  LAST_ARGUMENT(request);
  if (is_socket(descriptor) && hit(k_ioctl)) return FAIL(kNoOption);
  return NEXT(ioctl)(descriptor, request, argument);
}

int epoll_ctl(int epoll, int operation, int descriptor, struct epoll_event* event) {
  if (operation == EPOLL_CTL_ADD && is_socket(descriptor)) {  // a change of a watch needs nothing
    const int unwatched = has_type(descriptor, SOCK_DGRAM) && atomic_exchange(&g_unwatched, 0);
    if (unwatched || hit(k_epoll_ctl)) return FAIL(kNoWatch);
  }
  const int result = NEXT(epoll_ctl)(epoll, operation, descriptor, event);
  if (result == 0 && descriptor < WATCHED_MAX) {
    if (event != NULL && operation != EPOLL_CTL_DEL) g_watched_for[descriptor] = *event;
    atomic_store(&g_watched_by[descriptor], operation == EPOLL_CTL_DEL ? 0 : epoll + 1);
  }
  return result;
}

int epoll_wait(int epoll, struct epoll_event* events, int count, int timeout) {
  if (hit(k_epoll_wait)) return FAIL(kInterrupted);
  return NEXT(epoll_wait)(epoll, events, count, timeout);
}

int timerfd_settime(int timer, int flags, const struct itimerspec* wanted, struct itimerspec* before) {
  if (hit(k_timerfd_settime)) return FAIL(kNoTimer);
  return NEXT(timerfd_settime)(timer, flags, wanted, before);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* how, void* (*what)(void*), void* with) {
  if (atomic_fetch_add(&g_calls[k_pthread_create], 1) + 1 == g_thread) return EAGAIN;
  return NEXT(pthread_create)(thread, how, what, with);
}

// --- octets in ---

ssize_t recv(int descriptor, void* buffer, size_t octets, int flags) {
  if (hit(k_recv)) return FAIL(kNotReceived);
  return NEXT(recv)(descriptor, buffer, fewer(k_short_in, descriptor, octets), flags);
}

ssize_t recvfrom(int descriptor, void* buffer, size_t octets, int flags, struct sockaddr* from,
                 socklen_t* size) {
  if (hit(k_recvfrom)) return FAIL(kNotReceived);
  return NEXT(recvfrom)(descriptor, buffer, fewer(k_short_in, descriptor, octets), flags, from, size);
}

// Only the first buffer, and that not full.
static struct iovec first_of(const struct iovec* buffers, size_t octets) {
  struct iovec first = buffers[0];
  first.iov_len = octets;
  return first;
}

ssize_t recvmsg(int descriptor, struct msghdr* message, int flags) {
  if (hit(k_recvmsg)) return FAIL(kNotReceived);
  if (message->msg_iovlen == 0) return NEXT(recvmsg)(descriptor, message, flags);
  const size_t whole = message->msg_iov[0].iov_len;
  const size_t octets = fewer(k_short_in, descriptor, whole);
  if (octets == whole) return NEXT(recvmsg)(descriptor, message, flags);
  struct msghdr shorter = *message;
  struct iovec first = first_of(message->msg_iov, octets);
  shorter.msg_iov = &first;
  shorter.msg_iovlen = 1;
  const ssize_t result = NEXT(recvmsg)(descriptor, &shorter, flags);
  message->msg_flags = shorter.msg_flags;
  message->msg_namelen = shorter.msg_namelen;
  message->msg_controllen = shorter.msg_controllen;
  return result;
}

ssize_t read(int descriptor, void* buffer, size_t octets) {
  if (!is_socket(descriptor)) return NEXT(read)(descriptor, buffer, octets);
  if (hit(k_read)) return FAIL(kNotReceived);
  return NEXT(read)(descriptor, buffer, fewer(k_short_in, descriptor, octets));
}

ssize_t readv(int descriptor, const struct iovec* buffers, int count) {
  if (!is_socket(descriptor)) return NEXT(readv)(descriptor, buffers, count);
  if (hit(k_readv)) return FAIL(kNotReceived);
  return NEXT(readv)(descriptor, buffers, count);
}

// --- octets out ---

static ssize_t sent(int descriptor, size_t asked, size_t whole, ssize_t result) {
  if (asked < whole && result >= 0) announce_room(descriptor);
  return result;
}

ssize_t send(int descriptor, const void* buffer, size_t octets, int flags) {
  if (hit(k_send)) return FAIL(kNotSent);
  const size_t some = fewer(k_short_out, descriptor, octets);
  return sent(descriptor, some, octets, NEXT(send)(descriptor, buffer, some, flags));
}

ssize_t sendto(int descriptor, const void* buffer, size_t octets, int flags, const struct sockaddr* to,
               socklen_t size) {
  if (hit(k_sendto)) return FAIL(kNotSent);
  return NEXT(sendto)(descriptor, buffer, octets, flags, to, size);
}

ssize_t sendmsg(int descriptor, const struct msghdr* message, int flags) {
  if (hit(k_sendmsg)) return FAIL(kNotSent);
  if (message->msg_iovlen == 0) return NEXT(sendmsg)(descriptor, message, flags);
  const size_t whole = message->msg_iov[0].iov_len;
  const size_t octets = fewer(k_short_out, descriptor, whole);
  if (octets == whole) return NEXT(sendmsg)(descriptor, message, flags);
  struct msghdr shorter = *message;
  struct iovec first = first_of(message->msg_iov, octets);
  shorter.msg_iov = &first;
  shorter.msg_iovlen = 1;
  return sent(descriptor, octets, whole, NEXT(sendmsg)(descriptor, &shorter, flags));
}

ssize_t write(int descriptor, const void* buffer, size_t octets) {
  if (!is_socket(descriptor)) return NEXT(write)(descriptor, buffer, octets);
  if (hit(k_write)) return FAIL(kNotSent);
  const size_t some = fewer(k_short_out, descriptor, octets);
  return sent(descriptor, some, octets, NEXT(write)(descriptor, buffer, some));
}

ssize_t writev(int descriptor, const struct iovec* buffers, int count) {
  if (!is_socket(descriptor)) return NEXT(writev)(descriptor, buffers, count);
  if (hit(k_writev)) return FAIL(kNotSent);
  return NEXT(writev)(descriptor, buffers, count);
}

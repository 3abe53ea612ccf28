// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Pipes: rings of packets (layout: vectorizer/contract/pipe.h). Clang calls these functions by fixed names, and passes
// the size and the alignment of a packet.
//
// A read or a write first reserves packets, then copies them, and then commits them. Packets are in order, so a packet
// that another work-item still accesses cannot be skipped. So committed packets become available to the other side only
// when no reservation is outstanding: the last work-item to commit makes them available.
#include "lane_primitives.h"
#include "vectorizer/contract/pipe.h"

typedef __global struct Pipe *Ring;
typedef __global struct PipeSide *Side;

// The number of packets in the high half, and the slot of the first packet in the low half. A reservation has at least
// one packet, so 0 means no reservation.
typedef ulong Reservation;
#define NO_RESERVATION 0ul

// The vectorizer lowers these conversions. Pipes to read and to write need two names, because the mangled name does not
// contain the access qualifier.
PURE Ring __lanecl_pipe_ro(read_only pipe int p);
PURE Ring __lanecl_pipe_wo(write_only pipe int p);
PURE Reservation __lanecl_reservation(reserve_id_t id);
PURE reserve_id_t __lanecl_reserve_id(Reservation reservation);
OVERLOADABLE __local ulong *__lanecl_collective_scratch(void);

static ulong load(const __global ulong *p) {
  return __atomic_load_n(p, __ATOMIC_SEQ_CST);
}

// Returns the number of the packet before which a side may reserve.
static ulong end(Ring ring, bool reads) {
  return reads ? load(&ring->writers.published) : load(&ring->readers.published) + ring->max_packets;
}

static Side sideOf(Ring ring, bool reads) {
  return reads ? &ring->readers : &ring->writers;
}

// Reserves up to `most` packets, but none if fewer than `least` are available. Returns how many, and stores the number
// of the first one in `first`.
static uint take(Ring ring, bool reads, uint least, uint most, ulong *first) {
  Side side = sideOf(ring, reads);
  ulong begin = load(&side->reserved);
  while (true) {
    const ulong room = end(ring, reads) - begin; // loaded later than `begin`, so it is never smaller
    const uint count = room < most ? (uint)room : most;
    if (count < least)
      return 0;
    if (__atomic_compare_exchange_n(&side->reserved, &begin, begin + count, false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST)) {
      *first = begin;
      return count;
    }
  }
}

// Commits packets. All reservations are committed if the number of committed packets, which is read first, equals the
// number of reserved ones.
static void giveBack(Ring ring, bool reads, uint count) {
  Side side = sideOf(ring, reads);
  __atomic_fetch_add(&side->committed, (ulong)count, __ATOMIC_SEQ_CST);
  const ulong committed = load(&side->committed);
  if (committed == load(&side->reserved))
    __atomic_fetch_max(&side->published, committed, __ATOMIC_SEQ_CST);
}

static __global uchar *slot(Ring ring, ulong number) {
  return (__global uchar *)(ring + 1) + (number & ring->slot_mask) * ring->packet_bytes;
}

// Copies between a packet in the ring and the program's packet, in the widest units that the alignment permits.
#define COPY(T)                                                                                                        \
  for (uint i = 0; i < size / sizeof(T); ++i)                                                                          \
    if (reads)                                                                                                         \
      ((T *)packet)[i] = ((const __global T *)place)[i];                                                               \
    else                                                                                                               \
      ((__global T *)place)[i] = ((const T *)packet)[i];
static void copy(__global uchar *place, bool reads, void *packet, uint size, uint alignment) {
  if (alignment >= 8) {
    COPY(ulong)
  } else if (alignment == 4) {
    COPY(uint)
  } else if (alignment == 2) {
    COPY(ushort)
  } else {
    COPY(uchar)
  }
}

// Moves one packet for each active lane. One lane reserves for all. If there are too few packets, the lowest lanes get
// them.
static int moveOne(Ring ring, bool reads, void *packet, uint size, uint alignment) {
  const ulong active = __lanecl_active_mask();
  const uint before = popcount(active & ((1ul << __lanecl_lane_id()) - 1));
  ulong first = 0;
  uint taken = 0;
  if (before == 0)
    taken = take(ring, reads, 1, popcount(active), &first);
  taken = __lanecl_broadcast_first(taken);
  first = __lanecl_broadcast_first(first);
  if (before >= taken)
    return -1;
  copy(slot(ring, first + before), reads, packet, size, alignment);
  giveBack(ring, reads, 1);
  return 0;
}

static Reservation reserve(Ring ring, bool reads, uint count) {
  ulong first = 0;
  if (count == 0 || take(ring, reads, count, count, &first) == 0)
    return NO_RESERVATION;
  return (ulong)count << 32 | (first & ring->slot_mask);
}

static int moveReserved(Ring ring, bool reads, Reservation reservation, uint index, void *packet, uint size,
                        uint alignment) {
  if (index >= reservation >> 32)
    return -1;
  copy(slot(ring, (uint)reservation + (ulong)index), reads, packet, size, alignment);
  return 0;
}

static void commit(Ring ring, bool reads, Reservation reservation) {
  if (reservation != NO_RESERVATION)
    giveBack(ring, reads, (uint)(reservation >> 32));
}

static void wait(void) {
  __lanecl_work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

static bool isFirstOfGroup(void) {
  return __lanecl_local_id(0) == 0 && __lanecl_local_id(1) == 0 && __lanecl_local_id(2) == 0;
}

static Reservation reserveForGroup(Ring ring, bool reads, uint count) {
  __local ulong *scratch = __lanecl_collective_scratch();
  wait(); // all values of the previous collective function have been read
  if (isFirstOfGroup())
    *scratch = reserve(ring, reads, count);
  wait();
  return *scratch;
}

static void commitForGroup(Ring ring, bool reads, Reservation reservation) {
  wait(); // all packets are copied
  if (isFirstOfGroup())
    commit(ring, reads, reservation);
}

static bool isFirstActive(void) {
  return (__lanecl_active_mask() & ((1ul << __lanecl_lane_id()) - 1)) == 0;
}

static Reservation reserveForSubGroup(Ring ring, bool reads, uint count) {
  Reservation reservation = NO_RESERVATION;
  if (isFirstActive())
    reservation = reserve(ring, reads, count);
  return __lanecl_broadcast_first(reservation);
}

static void commitForSubGroup(Ring ring, bool reads, Reservation reservation) {
  __lanecl_sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
  if (isFirstActive())
    commit(ring, reads, reservation);
}

// Defines the functions that reserve and commit packets, for a work-item, a work-group or a sub-group (`prefix` and
// `suffix`). `kind` is read or write.
#define RESERVATIONS(prefix, kind, access, reads, ro_or_wo, suffix)                                                    \
  reserve_id_t __##prefix##reserve_##kind##_pipe(access pipe int p, uint count, uint size, uint alignment) {           \
    return __lanecl_reserve_id(reserve##suffix(__lanecl_pipe_##ro_or_wo(p), reads, count));                            \
  }                                                                                                                    \
  void __##prefix##commit_##kind##_pipe(access pipe int p, reserve_id_t id, uint size, uint alignment) {               \
    commit##suffix(__lanecl_pipe_##ro_or_wo(p), reads, __lanecl_reservation(id));                                      \
  }
// Defines all functions of one access qualifier.
#define PIPE(kind, access, reads, ro_or_wo)                                                                            \
  int __##kind##_pipe_2(access pipe int p, void *packet, uint size, uint alignment) {                                  \
    return moveOne(__lanecl_pipe_##ro_or_wo(p), reads, packet, size, alignment);                                       \
  }                                                                                                                    \
  int __##kind##_pipe_4(access pipe int p, reserve_id_t id, uint index, void *packet, uint size, uint alignment) {     \
    return moveReserved(__lanecl_pipe_##ro_or_wo(p), reads, __lanecl_reservation(id), index, packet, size, alignment); \
  }                                                                                                                    \
  RESERVATIONS(, kind, access, reads, ro_or_wo, )                                                                      \
  RESERVATIONS(work_group_, kind, access, reads, ro_or_wo, ForGroup)                                                   \
  RESERVATIONS(sub_group_, kind, access, reads, ro_or_wo, ForSubGroup)                                                 \
  uint __get_pipe_num_packets_##ro_or_wo(access pipe int p, uint size, uint alignment) {                               \
    Ring ring = __lanecl_pipe_##ro_or_wo(p);                                                                           \
    const ulong taken = load(&ring->readers.reserved);                                                                 \
    return (uint)(load(&ring->writers.published) - taken);                                                             \
  }                                                                                                                    \
  uint __get_pipe_max_packets_##ro_or_wo(access pipe int p, uint size, uint alignment) {                               \
    return (uint)__lanecl_pipe_##ro_or_wo(p)->max_packets;                                                             \
  }
PIPE(read, read_only, true, ro)
PIPE(write, write_only, false, wo)

OVERLOADABLE bool is_valid_reserve_id(reserve_id_t id) {
  return __lanecl_reservation(id) != NO_RESERVATION;
}

OVERLOADABLE reserve_id_t __lanecl_null_reserve_id(void) {
  return __lanecl_reserve_id(NO_RESERVATION);
}

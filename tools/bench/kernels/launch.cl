kernel void empty() {}

kernel void increment(global uint *counters) { ++counters[get_global_id(0)]; }

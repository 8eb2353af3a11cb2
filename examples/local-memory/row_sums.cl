// Sums of the rows of a matrix, each row by one work-group of 64 work-items.
//
// Two functions need local memory for a short time. They allocate it where they use it, with local_malloc, and free it in
// the reverse order, with local_free. Neither is a function of OpenCL: the local-memory planner computes how much the
// kernel needs, 1280 bytes, and puts offsets into one buffer in place of the calls. After the 1024 bytes of the tile only
// one of the two functions has its block at a time, so that both use the same bytes. A barrier is missing between the two,
// left out on purpose: the planner finds it.

#define ITEMS 64
#define TILE (4 * ITEMS)

float total(float value) {
    const uint item = get_local_id(0);
    __local float *sums = local_malloc(ITEMS * sizeof(float));
    barrier(CLK_LOCAL_MEM_FENCE); // Others may still read what used these bytes before.
    sums[item] = value;
    for (uint half_of = ITEMS / 2; half_of > 0; half_of /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < half_of) sums[item] += sums[item + half_of];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const float sum = sums[0];
    local_free(ITEMS * sizeof(float));
    return sum;
}

uint position_of_largest(float value) {
    const uint item = get_local_id(0);
    __local float *values = local_malloc(ITEMS * sizeof(float));
    values[item] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint best = 0;
    for (uint other = 1; other < ITEMS; other++) {
        if (values[other] > values[best]) best = other;
    }
    local_free(ITEMS * sizeof(float));
    return best;
}

__kernel void row_sums(__global const float *matrix, __global float *sums, __global uint *largest) {
    const uint item = get_local_id(0), row = get_group_id(0);
    __local float *tile = local_malloc(TILE * sizeof(float));
    for (uint i = item; i < TILE; i += ITEMS) tile[i] = matrix[row * TILE + i];
    float own = 0;
    for (uint i = item; i < TILE; i += ITEMS) own += tile[i];
    const float sum = total(own);
    const uint position = position_of_largest(own);
    if (item == 0) {
        sums[row] = sum;
        largest[row] = position;
    }
    local_free(TILE * sizeof(float));
}

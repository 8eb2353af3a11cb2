/* Runs the kernels of a file of OpenCL C on the first device: run_kernels FILE.cl LIST [OPTIONS].
 *
 * Each line of LIST has the name of a kernel, its number of results, and its choices, as decimal bytes. A kernel gets a
 * buffer with the choices and one for the results, which are printed on one line. It runs in a single work-group of
 * LOCAL_SIZE work-items.
 *
 * The few OpenCL functions are declared in this file, and the library is loaded at run time, so compiling requires neither
 * headers nor a library.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOCAL_SIZE = 4, RESULTS = 4096, MAX_CHOICES = 4096 };

typedef int cl_int;
typedef unsigned cl_uint;
typedef unsigned long long cl_bits;
typedef void *object;

#define DEVICE_TYPE_ALL 0xFFFFFFFFull
#define MEM_READ_WRITE 1ull
#define PROGRAM_BUILD_LOG 0x1183

static void *library;

static void *find(const char *name) {
    void *found = dlsym(library, name);
    if (!found) {
        fprintf(stderr, "OpenCL has no %s\n", name);
        exit(2);
    }
    return found;
}

static void check(cl_int error, const char *what) {
    if (error) {
        fprintf(stderr, "%s: error %d\n", what, error);
        exit(3);
    }
}

static char *read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "%s cannot be opened\n", path);
        exit(2);
    }
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = calloc(size + 1, 1);
    if (fread(text, 1, size, file) != (size_t)size) {
        exit(2);
    }
    fclose(file);
    return text;
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "run_kernels FILE.cl LIST [OPTIONS]\n");
        return 2;
    }
    library = dlopen("libOpenCL.so.1", RTLD_NOW);
    if (!library) {
        fprintf(stderr, "there is no libOpenCL.so.1\n");
        return 2;
    }
    cl_int (*get_platforms)(cl_uint, object *, cl_uint *) = find("clGetPlatformIDs");
    cl_int (*get_devices)(object, cl_bits, cl_uint, object *, cl_uint *) = find("clGetDeviceIDs");
    object (*create_context)(const long *, cl_uint, object *, void *, void *, cl_int *) = find("clCreateContext");
    object (*create_queue)(object, object, cl_bits, cl_int *) = find("clCreateCommandQueue");
    object (*create_program)(object, cl_uint, const char **, const size_t *, cl_int *) = find("clCreateProgramWithSource");
    cl_int (*build)(object, cl_uint, object *, const char *, void *, void *) = find("clBuildProgram");
    cl_int (*build_info)(object, object, cl_uint, size_t, void *, size_t *) = find("clGetProgramBuildInfo");
    object (*create_kernel)(object, const char *, cl_int *) = find("clCreateKernel");
    object (*create_buffer)(object, cl_bits, size_t, void *, cl_int *) = find("clCreateBuffer");
    cl_int (*set_argument)(object, cl_uint, size_t, const void *) = find("clSetKernelArg");
    cl_int (*enqueue)(object, object, cl_uint, const size_t *, const size_t *, const size_t *, cl_uint, void *, void *) =
        find("clEnqueueNDRangeKernel");
    cl_int (*write_buffer)(object, object, cl_uint, size_t, size_t, const void *, cl_uint, void *, void *) =
        find("clEnqueueWriteBuffer");
    cl_int (*read_buffer)(object, object, cl_uint, size_t, size_t, void *, cl_uint, void *, void *) =
        find("clEnqueueReadBuffer");

    object platform, device;
    cl_int error;
    check(get_platforms(1, &platform, NULL), "no platform of OpenCL");
    check(get_devices(platform, DEVICE_TYPE_ALL, 1, &device, NULL), "no device of OpenCL");
    object context = create_context(NULL, 1, &device, NULL, NULL, &error);
    check(error, "context");
    object queue = create_queue(context, device, 0, &error);
    check(error, "queue");
    const char *text = read_file(argv[1]);
    object program = create_program(context, 1, &text, NULL, &error);
    check(error, "program");
    error = build(program, 1, &device, argc > 3 ? argv[3] : "", NULL, NULL);
    static char log[1 << 16];
    build_info(program, device, PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    fputs(log, stderr);
    check(error, "build");

    object choices = create_buffer(context, MEM_READ_WRITE, MAX_CHOICES, NULL, &error);
    check(error, "buffer");
    object results = create_buffer(context, MEM_READ_WRITE, RESULTS * sizeof(cl_uint), NULL, &error);
    check(error, "buffer");
    static char line[1 << 16];
    FILE *list = fopen(argv[2], "r");
    while (list && fgets(line, sizeof line, list)) {
        unsigned char chosen[MAX_CHOICES] = {0};
        const char *name = strtok(line, " \n");
        const char *wanted = strtok(NULL, " \n");
        if (!name || !wanted) {
            continue;
        }
        int result_count = atoi(wanted);
        if (result_count < 1 || result_count > RESULTS) {
            fprintf(stderr, "%s results of %s\n", wanted, name);
            return 2;
        }
        int count = 0;
        for (char *word; count < MAX_CHOICES && (word = strtok(NULL, " \n"));) {
            chosen[count++] = (unsigned char)atoi(word);
        }
        static cl_uint found[RESULTS];
        memset(found, 0xff, sizeof found);
        size_t size = LOCAL_SIZE;
        object kernel = create_kernel(program, name, &error);
        check(error, name);
        check(write_buffer(queue, choices, 1, 0, sizeof chosen, chosen, 0, NULL, NULL), "write");
        check(write_buffer(queue, results, 1, 0, sizeof found, found, 0, NULL, NULL), "write");
        check(set_argument(kernel, 0, sizeof choices, &choices), "argument");
        check(set_argument(kernel, 1, sizeof results, &results), "argument");
        check(enqueue(queue, kernel, 1, NULL, &size, &size, 0, NULL, NULL), name);
        check(read_buffer(queue, results, 1, 0, sizeof found, found, 0, NULL, NULL), "read");
        for (int i = 0; i < result_count; i++) {
            printf(i ? " %u" : "%u", found[i]);
        }
        printf("\n");
    }
    return 0;
}

// The least that a plugin can be, in Zig 0.16; plugins/ABI.md is its contract.
//
//   zig build-exe hello.zig -target wasm32-freestanding -O ReleaseSmall -fno-entry -rdynamic
const std = @import("std");

var request: []u8 = &.{};
var answer: []const u8 = "";

export fn boundcheck_abi() u32 {
    return 1;
}

export fn alloc(n: u32) usize {
    std.heap.wasm_allocator.free(request);
    request = &.{};
    request = std.heap.wasm_allocator.alloc(u8, n) catch return 0;
    return @intFromPtr(request.ptr);
}

export fn invoke(n: u32) u64 {
    answer = respond(request[0..n]);
    return @as(u64, @intFromPtr(answer.ptr)) << 32 | answer.len;
}

const Request = struct { op: []const u8 = "" };

fn respond(bytes: []const u8) []const u8 {
    var arena = std.heap.ArenaAllocator.init(std.heap.wasm_allocator);
    defer arena.deinit();
    const r = std.json.parseFromSliceLeaky(Request, arena.allocator(), bytes, .{ .ignore_unknown_fields = true }) catch
        return "{\"error\":{\"code\":\"invalid-request\",\"message\":\"invalid request: want one JSON object in UTF-8\"}}";
    if (std.mem.eql(u8, r.op, "describe"))
        return "{\"ok\":{\"abi\":1,\"name\":\"hello\",\"version\":\"0.1.0\",\"summary\":\"says hello\",\"operations\":[\"describe\"]}}";
    return "{\"error\":{\"code\":\"unknown-operation\",\"message\":\"unknown operation; there is describe\"}}";
}
